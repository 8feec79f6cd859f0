// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "core/service/event_log.h"
#include "core/service/queue/run_queue.h"
#include "core/service/service.h"
#include "core/service/store/run_journal.h"
#include "core/service/wall_clock.h"

namespace wb {

/// The service over a journal and runners. A thread for each device takes one run after another from the
/// queue and sees it to its end; another one expires what waits too long and forgets what is old. In memory
/// are the runs that wait (of most without their jobs), those that run, and those that ended in the last ten
/// minutes; of all others the journal tells.
class RunService final : public Service {
 public:
  /// How often a run may be under way when the service ends without having been asked to.
  static constexpr int mostInterruptions = 3;
  static constexpr std::size_t mostNoteBytes = std::size_t{1} << 20;
  /// How long and how much of the events and reports of runs that have ended stays in memory.
  static constexpr std::chrono::minutes recentTime{10};
  /// So long they stay also where there is little room, for clients that follow a run and come back for more,
  /// as long as they take no more than some times that room.
  static constexpr std::chrono::seconds freshTime{10};
  static constexpr std::int64_t roomsOfFreshRuns = 8;
  static constexpr std::size_t mostRecentRuns = 10'000;
  /// The jobs of so many runs that wait are in memory, so that no device waits for the journal. A job with
  /// more text is read from there.
  static constexpr std::size_t mostJobsAtHand = 64, mostTextAtHand = std::size_t{256} << 10;

  RunService(ServiceOptions options, std::unique_ptr<RunJournal> journal,
             const std::vector<std::string>& devices, const MakeRunner& makeRunner);
  /// What runs goes back into the queue, in the journal.
  ~RunService() override;
  /// Takes up what the journal has, and begins.
  Result<void> begin();

  std::variant<std::string, Refusal> submit(Submission submission) override;
  bool cancel(const std::string& id, const std::string& reason) override;
  [[nodiscard]] std::optional<RunStatus> status(const std::string& id) const override;
  [[nodiscard]] std::vector<RunStatus> runs(std::size_t most) const override;
  [[nodiscard]] std::shared_ptr<const Report> report(const std::string& id) const override;
  [[nodiscard]] EventPage events(const std::string& id, std::uint64_t first,
                                 std::chrono::milliseconds wait) const override;
  std::optional<RunStatus> waitFor(const std::string& id, std::chrono::milliseconds wait,
                                   const std::function<bool()>& isWanted) override;
  [[nodiscard]] ServiceCounts counts() const override;
  [[nodiscard]] KeptRuns kept() const override;
  [[nodiscard]] std::vector<DeviceState> devices() const override;
  void drain(std::chrono::milliseconds wait) override;
  void warmUp(const std::function<std::optional<Job>(const std::string& device)>& jobFor) override;

 private:
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;
  /// A client and its idempotency key.
  using Key = std::pair<std::string, std::string>;

  /// An end that is not the run's own.
  struct Ending {
    RunState state = RunState::cancelled;
    std::string reason;
  };
  /// What a run has said so far.
  struct Course {
    EventLog events;
    Report report;
    /// How long its parts took, in seconds by their names, and when the last of them ended.
    std::map<std::string, double> parts{};
    Clock::time_point lastPart = Clock::now();
    /// What has passed since the last part counts for this one.
    void endPart(const std::string& name);
  };
  struct Run {
    JournalRun entry;
    /// Its times: when it was submitted, or taken up after a restart, and what follows.
    SteadyStamps stamps;
    /// The device that its job asks for; the status has the one on which it is.
    std::string wantedDevice;
    /// Its job while it waits, where that is at hand.
    std::optional<Job> job;
    /// A hash of its kernels' sources; 0 where these were not looked at.
    std::size_t sources = 0;
    /// Its kernels have processes of their own, which are kept where they ran.
    bool isStrict = false;
    /// Since when a free place leaves it to others that have its kernels at hand.
    std::optional<Clock::time_point> leftSince{};
    Clock::time_point deadline;
    /// The number of its first event from now on.
    std::uint64_t firstEvent = 0;
    /// Absent until it starts or ends.
    std::unique_ptr<Course> course;
    /// How many devices could not start a worker for it.
    std::size_t failedStarts = 0;
    /// How it is to end, when that was asked for while it runs.
    std::optional<Ending> wantedEnd;
    /// The runner has said the last of it.
    bool hasFinished = false;
    /// Its end is known here and not yet in the journal.
    bool isUnsaved = false;
    /// How many callers wait for its end.
    std::size_t waiters = 0;
    Clock::time_point ended;
    /// About how much memory it takes after its end.
    std::int64_t bytes = 0;
    std::condition_variable changed;
  };
  using RunPointer = std::shared_ptr<Run>;
  struct Place {
    std::string device;
    std::unique_ptr<Runner> runner;
    WorkerStatus worker;
    /// DeviceState::noWorker.
    std::string noWorker;
    /// The sources of its last runs, the last of them at the end: it has their kernels at hand.
    std::deque<std::size_t> known;
    [[nodiscard]] bool knows(std::size_t sources) const {
      return sources != 0 && std::find(known.begin(), known.end(), sources) != known.end();
    }
    /// How many of its threads wait for a run.
    std::size_t waiting = 0;
    /// The run on it, and its job until that is given to the runner, where it was at hand.
    RunPointer run;
    std::optional<Job> job;
    /// A job that warms it up was submitted and has not ended, and its number until somebody ends it.
    bool isWarmingUp = false;
    std::optional<Runner::RunId> warmUp;
    /// While one of them writes down the end of a run, the other one sees to the next.
    std::array<std::thread, 2> threads;
  };

  // Submissions (run_service.cpp)
  std::variant<std::string, Refusal> accept(Submission submission);
  /// Counts a refusal, and gives its error where the operator should read of it: of a full disk once a
  /// minute.
  [[nodiscard]] const Error* refusalToTell(const Refusal& refusal);
  [[nodiscard]] std::optional<Error> whatIsWrong(const Submission& submission) const;
  [[nodiscard]] std::optional<Refusal> refusalFor(const std::string& client) const;
  void enqueue(const RunPointer& run);
  /// The job of a run that waits no more, where it was at hand.
  [[nodiscard]] std::optional<Job> takeJob(Run& run);
  [[nodiscard]] RunPointer find(const std::string& id) const;
  [[nodiscard]] RunStatus statusOf(const Run& run) const;
  [[nodiscard]] RunStatus withNote(RunStatus status, bool hasNote) const;

  // What runs (run_service_places.cpp)
  void serve(Place& place);
  [[nodiscard]] bool takeNext(Lock& lock, Place& place);
  /// The run that a free place takes, 0 for none, and when it is to be asked again at the latest.
  struct Choice {
    std::uint64_t number = 0;
    Clock::time_point again = Clock::time_point::max();
  };
  [[nodiscard]] Choice choose(const Place& place);
  void perform(Place& place);
  void take(Run& run, const Event& event);
  void awaitEnd(Place& place, Runner::RunId id);
  void conclude(Place& place);
  void putBack(Place& place);
  /// The lock is held. `status` is what the place's run has come to.
  void makeFree(Place& place, const RunStatus& status);
  [[nodiscard]] bool canRunElsewhere(const Place& place) const;
  /// Until when a place without the run's kernels leaves it to those that have them at hand, where `alike`
  /// runs of the same kernels wait; the past where it takes the run itself.
  [[nodiscard]] Clock::time_point leavesUntil(Run& run, std::size_t alike) const;

  // Warm-up (run_service_warm_up.cpp)
  void beginWarmUp(Place& place, Job job);
  void endWarmUp(Place& place);

  // Beginning, ends and upkeep (run_service_upkeep.cpp)
  void addPlace(const std::string& device, std::unique_ptr<Runner> runner);
  Result<void> takeUp(JournalRun entry);
  /// The device on which it ran is free from the beginning of this on, so that nothing waits for the disk.
  void end(const RunPointer& run, const Ending& ending, Place* place = nullptr);
  /// Ends a run that nobody has begun.
  void endUnrun(const RunPointer& run, const Ending& ending, Place* place = nullptr);
  [[nodiscard]] bool write(const JournalRun& entry, const Report& report);
  void upkeep();
  void expire(Lock& lock);
  void dropRecent();
  void saveUnsaved();
  void tryBrokenDevices();
  std::size_t forget(double endedBefore, std::int64_t mostBytes);
  void tell(const std::string& text) const;
  void tellCourse(const RunStatus& status, const Course& course) const;

  const ServiceOptions options_;
  const std::unique_ptr<RunJournal> journal_;
  std::vector<std::string> deviceNames_;
  const Clock::time_point started_ = Clock::now();

  /// Guards all below. It is not held while the journal is read or written, and not while a runner is spoken
  /// to.
  mutable std::mutex mutex_;
  /// There may be work for a device; a device has become free; a key was decided; a deadline is nearer.
  std::condition_variable work_, idle_, keys_, upkeep_;
  std::vector<std::unique_ptr<Place>> places_;
  /// How many runs have left their devices, and their ends are being written down.
  std::size_t ending_ = 0;
  RunQueue queue_;
  /// Waiting and running, by number.
  std::map<std::uint64_t, RunPointer> live_;
  /// Those that are over, the oldest first.
  std::deque<RunPointer> recent_;
  std::int64_t recentBytes_ = 0;
  /// All of both.
  std::unordered_map<std::string, RunPointer> byId_;
  /// Of those that wait.
  std::set<std::pair<Clock::time_point, std::uint64_t>> deadlines_;
  std::size_t jobsAtHand_ = 0;
  std::uint64_t lastNumber_ = 0;
  /// Runs that are being written down, by client, and their keys.
  std::map<std::string, std::size_t> accepting_;
  std::size_t acceptingCount_ = 0;
  std::set<Key> keysInHand_;
  ServiceCounts counts_;
  /// Until when the operator is told no more of refusals.
  Clock::time_point silentUntil_{};
  /// The mean duration of the last runs.
  double meanSeconds_ = 5;
  bool isDraining_ = false, isStopping_ = false;
  std::thread upkeepThread_;
};

/// Events that come after a run was put back have higher numbers than all before; a run has fewer than 2³².
[[nodiscard]] inline std::uint64_t firstEventAfter(std::uint64_t number) {
  return ((number >> 32) + 1) << 32;
}

}  // namespace wb
