// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/model/event.h"
#include "core/model/job.h"
#include "core/model/report.h"
#include "core/runner/runner.h"

namespace wb {

/// Where an accepted run is. The last four are ends.
enum class RunState {
  queued,
  running,
  /// It ran to its end, whatever came of the kernels.
  finished,
  /// Somebody cancelled it, or whoever waited for it went away.
  cancelled,
  /// Its deadline passed; what was done until then is in its report.
  expired,
  /// It could not be run: no worker started.
  failed,
};
[[nodiscard]] std::string_view name(RunState state);
[[nodiscard]] bool isOver(RunState state);

/// A job that somebody hands in.
struct Submission {
  Job job;
  /// Who hands it in: a token's name, or an address. Turns are fair between clients.
  std::string client;
  /// Higher ones run first, whoever's they are; from −100 to 100.
  int priority = 0;
  /// Seconds from now until the work is ended and the device is free again, wherever the run is by then; 0
  /// means the service's own limit.
  double deadlineSeconds = 0;
  /// A second submission of the same client with the same key is the first one again; "" means none.
  std::string idempotencyKey;
  /// A hash of what was asked for with the key. A second submission with another one is refused; "" is not
  /// compared.
  std::string requestHash{};
  /// What whoever hands in wants back with the run, such as the request that it came from. At most 1 MiB.
  std::string note;
};

/// Why a job was not accepted.
struct Refusal {
  enum class Cause {
    /// The job itself; with `retryAfterSeconds` a queue that is full, or a service that is draining.
    usual,
    /// The idempotency key stands for another request.
    keyIsTaken,
    /// Nothing can be written down: the disk is full.
    noDisk,
  };
  Error error;
  /// After how many seconds another try may be worth it, since the queue is full or the service is draining;
  /// 0 where it is not.
  double retryAfterSeconds = 0;
  Cause cause = Cause::usual;
};

/// What is known of a run without its report. Times are in seconds since 1970; 0 means not yet.
struct RunStatus {
  /// A random UUID.
  std::string id;
  RunState state = RunState::queued;
  std::string client;
  int priority = 0;
  double submittedAt = 0, startedAt = 0, endedAt = 0, deadlineAt = 0;
  /// How many runs are to start before it; 0 for one that has started.
  std::size_t ahead = 0;
  /// The device of the job: "cuda:0".
  std::string device;
  /// "relu.cpp", or "relu.cpp and 3 more".
  std::string title;
  std::string note;
  /// Why it failed, expired or was cancelled; "" otherwise.
  std::string reason;
  /// How many times a restart of the service has put it back into the queue.
  int restarts = 0;
};

/// Events of a run from a number on, as they came.
struct EventPage {
  std::vector<std::shared_ptr<const Event>> events;
  /// The number of the first event in `events`, and of the one after the last.
  std::uint64_t first = 0, next = 0;
  /// The run is over, and there will be no more after these.
  bool isLast = false;
  /// The run is over and its events are no longer in memory, so that nobody can say which there were after
  /// the ones asked for. Its report has what they came to.
  bool areForgotten = false;
};

/// What the service has done and does, for metrics and the pages that show it.
struct ServiceCounts {
  std::uint64_t accepted = 0, refused = 0, finished = 0, cancelled = 0, expired = 0, failed = 0;
  std::size_t queued = 0, running = 0;
  /// Seconds that runs waited in the queue and seconds that they ran, in sum.
  double waited = 0, ran = 0;
  /// Workers that were lost, by all runs.
  std::uint64_t workersLost = 0;
  double uptimeSeconds = 0;
};

/// The runs of which something is kept: those that wait or run, and those that are over and not yet
/// forgotten.
struct KeptRuns {
  std::map<RunState, std::uint64_t> byState;
  /// Seconds since they were handed in, on average; 0 of none.
  double meanAge = 0;

  [[nodiscard]] std::uint64_t count() const;
};

/// One device that runs jobs, and what it does.
struct DeviceState {
  std::string device;
  WorkerStatus worker;
  /// The runs on it; none while it is idle.
  std::vector<std::string> runs;
  /// Why the last run on it found no worker, such as one with Python; "" where it found one.
  std::string noWorker{};
};

struct ServiceOptions {
  /// The folder of the journal and of the results; one service at a time has it.
  std::filesystem::path folder;
  /// How many runs a GPU has at a time. One of them at most is timed, while no other uses the GPU; what does
  /// not use it goes on meanwhile.
  std::size_t runsPerGpu = 1;
  /// How many runs may wait, of all clients and of one.
  std::size_t mostQueued = 1000, mostQueuedPerClient = 200;
  /// The limit of a run without a deadline of its own, and the largest that may be asked for.
  double deadlineSeconds = 600, longestDeadlineSeconds = 3600;
  /// How long and how much of results is kept; the oldest go first.
  double keepSeconds = 7 * 24 * 3600;
  std::int64_t keepBytes = std::int64_t{1} << 30;
  /// About how much memory the runs that ended in the last ten minutes may take, with their events and
  /// reports; those of the last ten seconds may take eight times that. The events of those that are dropped
  /// are gone; their reports are read from the disk.
  std::int64_t recentBytes = std::int64_t{32} << 20;
  /// Takes, on any thread, what the operator should read: that a damaged journal was put aside, that the disk
  /// is full. No client may see it.
  std::function<void(const std::string&)> tell{};
  /// Takes, on any thread, a line about each run that ended: how long its parts took.
  std::function<void(const std::string&)> tellCourse{};
};

/// What stands between whoever submits jobs and the runners: a queue that is written down before anything is
/// accepted. Each device has a runner of its own and runs one job at a time, so timing has it alone. Which
/// run is next is a pure function (core/service/queue). An accepted run survives the end of the process: the
/// next service on the folder goes on with it.
///
/// All functions may be called from any thread and return soon, but for those that say that they wait.
class Service {
 public:
  /// Makes the runner of a device. It may start its workers (Runner::start), so that the first run finds them
  /// warm.
  using MakeRunner = std::function<std::unique_ptr<Runner>(const std::string& device)>;

  /// Opens the folder and goes on with what was accepted before. Errors: the folder cannot be written,
  /// belongs to a newer version, or another service has it.
  static Result<std::unique_ptr<Service>> open(ServiceOptions options, std::vector<std::string> devices,
                                               MakeRunner makeRunner);
  virtual ~Service() = default;
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// Accepts a run and gives its id; it is on disk when this returns. Refused is what no device here can run,
  /// what is out of its bounds, what has the key of another request, and what finds the queue full, the
  /// service draining or the disk full.
  virtual std::variant<std::string, Refusal> submit(Submission submission) = 0;
  /// Ends a run: a queued one at once, a running one as the runner cancels. False: there is no such run.
  virtual bool cancel(const std::string& id, const std::string& reason) = 0;

  [[nodiscard]] virtual std::optional<RunStatus> status(const std::string& id) const = 0;
  /// The newest `most` runs, those that wait and run first; without their notes, which may be large.
  [[nodiscard]] virtual std::vector<RunStatus> runs(std::size_t most) const = 0;
  /// The report as far as it is known, also of a run that was cancelled before it began; none for an unknown
  /// run, or one whose report is no longer kept.
  [[nodiscard]] virtual std::shared_ptr<const Report> report(const std::string& id) const = 0;
  /// Waits until there are events from `first` on, the run is over, or `wait` has passed. Events are kept
  /// while a run is under way and ten minutes more, as far as there is room; after that the page is empty,
  /// `isLast` and `areForgotten`. Whoever follows a run sees its end: those of the last ten seconds stay also
  /// where there is little room. Of a run that
  /// says very much the oldest events are dropped. When a restart has put a run back, its events begin anew
  /// at a higher number. In both cases the page's `first` is larger than the one asked for.
  [[nodiscard]] virtual EventPage events(const std::string& id, std::uint64_t first,
                                         std::chrono::milliseconds wait) const = 0;
  /// Waits until the run is over or `wait` has passed. `isWanted` is asked every 100 ms; when it says no, the
  /// run is cancelled, unless somebody else waits for it too. None for an unknown run.
  virtual std::optional<RunStatus> waitFor(const std::string& id, std::chrono::milliseconds wait,
                                           const std::function<bool()>& isWanted) = 0;

  [[nodiscard]] virtual ServiceCounts counts() const = 0;
  /// How many runs are kept. This reads none of them.
  [[nodiscard]] virtual KeptRuns kept() const = 0;
  [[nodiscard]] virtual std::vector<DeviceState> devices() const = 0;

  /// Takes nothing new from now on, and waits until what runs has ended or `wait` has passed. What is queued
  /// stays in the journal.
  virtual void drain(std::chrono::milliseconds wait) = 0;
  /// Runs a job on each device that has nothing to do, so that the first run finds libraries loaded and files
  /// read. Nothing tells of it. It waits until they have ended; a run that comes waits for its device's,
  /// since a worker that is ended while it loads a library would have to begin anew. drain() and the end of
  /// the service end them early. Nothing is done for a device that gets no job.
  virtual void warmUp(const std::function<std::optional<Job>(const std::string& device)>& jobFor) = 0;

 protected:
  Service() = default;
};

}  // namespace wb
