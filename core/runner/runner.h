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
  Target target;  ///< once known
  bool spareReady = false;
  int restarts = 0;  ///< workers lost so far
  Error failure;     ///< when failed: why, and what to do
  bool operator==(const WorkerStatus&) const = default;
};
[[nodiscard]] std::string_view name(WorkerStatus::State state);

struct RunnerOptions {
  bool warmSpare = true;          ///< keep a second worker ready
  double heartbeatSeconds = 5;    ///< silence after which a worker is lost
  double cancelGraceSeconds = 1;  ///< from Cancel to SIGTERM, and again to SIGKILL
  int crashesToQuarantine = 3;    ///< of one kernel in one run
};

/// A place for a worker: what starts it, and where it works.
struct WorkerPlace {
  std::unique_ptr<Launcher> launcher;
  std::string device;  ///< "cpu" for each of several, or a GPU of its own: "cuda:1"
};

/// Runs jobs one at a time in the order submitted, on a thread of its own, with a worker process in each
/// place and a warm spare beside it. Several workers share a job: its kernels, and parts of a kernel's cases,
/// go to whoever is free. What the listener hears folds to the report that one worker would give, but for the
/// order of log lines. On a device that several share all check, and then one alone times and profiles, so
/// that no neighbour disturbs what is measured.
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

  /// The status now and whenever it changes, of all places together: what any is busy with, and a failure
  /// only when nobody is left.
  void onStatus(StatusListener listener);
  /// Starts the workers now, while the job is still being made, so that it finds them warm. `python`: it will
  /// have a Python kernel.
  void start(bool python = false);
  RunId submit(Job job, Listener listener);
  /// Cancel ladder: a queued run ends at once; a running one is asked, then terminated, then killed. Its
  /// report ends `cancelled`.
  void cancel(RunId run);
  /// Blocks until every submitted run has finished. For the terminal and tests.
  void wait();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// What devices this machine has, without torch: "cpu" first, then "cuda:N" as the driver names them.
struct Device {
  std::string id;  ///< "cpu", "cuda:0"
  std::string name;
  std::string architecture;  ///< "sm_90"
  std::int64_t memoryBytes = 0;
};
[[nodiscard]] std::vector<Device> devices();
/// "auto" → the first GPU, else "cpu"; checks that any other is there. `language` may matter: none yet.
Result<std::string> resolveDevice(const std::string& wanted, const std::vector<Device>& there);

}  // namespace wb
