// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/runner/runner.h"

namespace wb {

/// One worker place of a fleet.
struct FleetMember {
  std::unique_ptr<Launcher> launcher;
  std::string device;  ///< "cpu" for each of several, or a GPU of its own: "cuda:1"
};

/// Runs jobs on several workers at once, one job after the other in the order submitted. The kernels of a job
/// are spread over the members as they come free; where kernels are few, the cases of one whose operator is
/// named in `KernelSource::op` are spread too. What the listener hears folds to the report that one Runner
/// would give, but for the order of log lines: one JobStarted, one Compiled a kernel with all its cases, one
/// Finished with the worst outcome.
///
/// On CPUs all members check, and then one alone times, so that no neighbour disturbs a measurement; GPUs
/// each check and time. A kernel that ends its workers as often as RunnerOptions says is quarantined over all
/// members. A member whose workers do not start leaves the fleet; the job ends `workerLost` only with the
/// last.
///
/// All callbacks come on the fleet's thread, or a runner's for onStatus, and must be quick. Destruction
/// cancels.
class Fleet {
 public:
  using RunId = Runner::RunId;
  using Listener = Runner::Listener;
  using StatusListener = std::function<void(std::size_t member, const WorkerStatus&)>;

  explicit Fleet(std::vector<FleetMember> members, RunnerOptions options = {});
  ~Fleet();
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  [[nodiscard]] std::size_t size() const;
  void onStatus(const StatusListener& listener);  ///< before the first start or submit
  void start();                                   ///< all members' workers
  RunId submit(Job job, Listener listener);
  void cancel(RunId run);
  void wait();  ///< until every submitted run has finished

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace wb
