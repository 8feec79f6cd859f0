// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/event.h"
#include "core/model/job.h"
#include "core/model/report.h"
#include "core/runner/runner.h"
#include "core/targets/run_target.h"

namespace wb {

/// The devices of this machine. They are asked for once, since on a machine with GPUs the driver's tool takes
/// time.
[[nodiscard]] const std::vector<Device>& knownDevices();

/// How and where a job is run, and who follows it. The runner's threads make the callbacks, which must be
/// quick; either may be empty.
struct RunWay {
  /// How many processes share the cases; on GPUs each has a GPU of its own, from the job's on.
  int workers = 1;
  /// Workers that are there already; empty: so many are made.
  std::shared_ptr<Runner> runner{};
  /// The interpreter whose torch and packages are used; "" means the one that is found.
  std::string python{};
  std::function<void(const Event&)> onEvent{};
  /// Called at most ten times per second.
  std::function<void(const Report&)> onReport{};
};

/// The workers for jobs on a device, whose start() may go on while the job is still being made. `judges`:
/// they will be judged strictly. Error: as workerDevices() (core/runner/remote/target_places.h).
Result<std::shared_ptr<Runner>> makeWorkers(const std::string& device, int workers, const std::string& python,
                                            bool judges);

/// The workers of targets that were named, so many of each.
struct TargetWorkers {
  std::shared_ptr<Runner> runner;
  /// The device of the first that runs cases.
  std::string device;
  /// Of those that run cases the ones that are not on this machine.
  std::vector<RunTarget> elsewhere{};
  /// One of them is on this machine.
  bool isHere = false;
};
/// Each word is the name of a target, or its text. Errors: there is no such target, or no such device there.
Result<TargetWorkers> targetWorkers(const std::vector<std::string>& words, int workers, bool judges);

/// Runs a job, whose device is resolved, to its end. Ctrl-C cancels it, and a second one leaves the program
/// at once. Null when there was not even a report.
std::shared_ptr<const Report> runJob(Job job, const RunWay& way);

}  // namespace wb
