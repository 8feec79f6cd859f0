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

/// State of a target's workers, for a status line.
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

/// Runs jobs on one device, one at a time in the order submitted, on a thread of its own with one worker
/// process and a warm spare. A crash, hang or sticky error becomes the verdict of the case under way;
/// finished cases are kept and the rest goes on in a fresh worker (Job::resume). All callbacks come on the
/// runner's thread and must be quick. Destruction cancels and ends the workers.
class Runner {
 public:
  using RunId = std::uint32_t;
  /// Every event of every run, in order. The last one of a run is `Finished`.
  using Listener = std::function<void(RunId, const Event&)>;
  using StatusListener = std::function<void(const WorkerStatus&)>;

  Runner(std::unique_ptr<Launcher> launcher, std::string device, RunnerOptions options = {});
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  void onStatus(StatusListener listener);  ///< before the first start or submit
  void start();                            ///< starts the worker now, so that the first job finds it warm
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
