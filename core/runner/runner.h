// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/event.h"
#include "core/model/job.h"
#include "core/model/report.h"
#include "core/runner/launcher.h"

namespace wb {

/// State of a runner's workers, for a status line.
struct WorkerStatus {
  enum class State { stopped, starting, ready, busy, failed };
  State state = State::stopped;
  /// The target, once it is known.
  Target target;
  bool spareReady = false;
  /// How many workers were lost so far.
  int restarts = 0;
  /// Why it failed and what to do, when it failed.
  Error failure;
  /// Where a worker waits before it can start: "the queue of gpu: Priority"; "" nowhere.
  std::string waitsIn;
  /// The connection to a worker is lost, and what that means: "the connection to box is lost; the worker goes
  /// on there for 60 s"; "" while every worker can be reached.
  std::string lostConnection;
  bool operator==(const WorkerStatus&) const = default;
};
[[nodiscard]] std::string_view name(WorkerStatus::State state);

struct RunnerOptions {
  /// Keeps a second worker ready.
  bool warmSpare = true;
  /// The silence after which a worker that has work is lost.
  double heartbeatSeconds = 5;
  /// The time from Cancel to SIGTERM, and again to SIGKILL.
  double cancelGraceSeconds = 1;
  /// How long a worker that holds what others wait for (Launcher::isOnDemand) is kept without work.
  double idleSeconds = 600;
  /// start() also starts workers that hold what others wait for, before there is a run.
  bool startsOnDemand = false;
  /// How many crashes of one kernel in one run.
  int crashesToQuarantine = 3;
  /// Workers have Python from the start, and not only from the first job on that needs it.
  bool python = false;
  /// Jobs will be judged strictly, so that workers make ready what these need.
  bool judges = false;
  /// A worker that has run nothing waits inside walls for the next run there (Job::sandbox) that may read the
  /// same files as the last one, or none; it is used once. Its start is held still while anything is timed.
  bool walledSpare = false;
};

/// A place for a worker: what starts it, and where it works.
struct WorkerPlace {
  std::unique_ptr<Launcher> launcher;
  /// The device: "cpu" for each of several, or a GPU of its own, "cuda:1".
  std::string device;
  /// Where the device is; "" is this machine. Two places share a device where host and device are the same.
  std::string host{};
  /// What people call the target that it belongs to, "box"; "" is this machine.
  std::string title{};
  /// It runs no cases, and compiles kernels ahead for those that do. So does a CPU beside places with GPUs,
  /// since their runs are for GPUs.
  bool compilesAhead = false;
};

/// Runs jobs one at a time in the order submitted, on a thread of its own, with a worker process in each
/// place and a warm spare beside it. Several workers share a job: its kernels, and parts of a kernel's cases,
/// go to whoever is free. What the listener hears folds to the report that one worker would give, but for the
/// order of log lines. On a device that several share all check, and then one alone times and profiles, so
/// that no neighbour disturbs what is measured.
///
/// Places that compile ahead (WorkerPlace::compilesAhead) hand what they build to the others, through here.
/// Nobody waits for them, and their loss is no kernel's.
///
/// A crash, hang or sticky error becomes the verdict of the case under way; finished cases are kept and the
/// rest goes on in a fresh worker (Job::work). A place whose workers do not start leaves its work to the
/// others; a job ends `workerLost` only with the last. All callbacks come on the runner's thread and must be
/// quick. Destruction cancels and ends the workers.
class Runner {
 public:
  using RunId = std::uint32_t;
  /// Every event of every run, in order. The last one of a run is `Finished`.
  using Listener = std::function<void(RunId, const Event&)>;
  using StatusListener = std::function<void(const WorkerStatus&)>;

  explicit Runner(std::vector<WorkerPlace> places, RunnerOptions options = {});
  Runner(std::unique_ptr<Launcher> launcher, std::string device, RunnerOptions options = {});
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// Tells the status now and whenever it changes, for all places together: what any of them is doing, and a
  /// failure only when no place is left.
  void onStatus(StatusListener listener);
  /// Starts the workers now, while the job is still being made, so that it finds them warm. `python` says
  /// that it will have a Python kernel.
  void start(bool python = false);
  /// `before` is the report of an earlier attempt, which this one goes on from: what is known is not done
  /// again, and no event tells it again. A job that names a part of itself (Job::work) is done in that part.
  RunId submit(Job job, Listener listener, std::shared_ptr<const Report> before = {});
  /// Cancels in steps: a queued run ends at once; a running one is asked, then terminated, then killed. Its
  /// report ends `cancelled`.
  void cancel(RunId run);
  /// Blocks until every submitted run has finished. It is for the terminal and tests.
  void wait();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// A device of this machine, found without torch: "cpu" first, then "cuda:N" as the driver names them.
struct Device {
  /// The id: "cpu", "cuda:0".
  std::string id;
  std::string name;
  /// The architecture: "sm_90".
  std::string architecture;
  std::int64_t memoryBytes = 0;
};
[[nodiscard]] std::vector<Device> devices();
/// The device that a name means: "auto" is the first GPU, else "cpu"; any other must exist.
Result<std::string> resolveDevice(const std::string& wanted, const std::vector<Device>& there);
/// The devices that a list of names means, each once: "auto" is all GPUs, else "cpu".
Result<std::vector<std::string>> resolveDevices(const std::vector<std::string>& wanted,
                                                const std::vector<Device>& there);

}  // namespace wb
