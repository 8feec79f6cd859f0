// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/job.h"
#include "core/runner/runner.h"
#include "core/targets/run_target.h"

namespace wb {

/// The devices of a target's machine. A host is asked by ssh, to which Warpbench's programs are copied first
/// where they are missing; `say` hears of that. A stop ends that within a tenth of a second.
Result<std::vector<Device>> devicesOf(const RunTarget& target,
                                      const std::function<void(const std::string&)>& say = {},
                                      const std::stop_token& stop = {});

/// Places for so many workers of a target: on Slurm a job each, elsewhere as many as its device has room for,
/// from which on each has a GPU of its own. Errors: it has no such device, or not so many.
Result<std::vector<WorkerPlace>> placesOf(const RunTarget& target, int workers,
                                          const std::function<void(const std::string&)>& say = {},
                                          const std::stop_token& stop = {});

/// Numbers the jobs of clusters among these places, where no device is another's, also if one target is there
/// twice.
void numberJobs(std::vector<WorkerPlace>& places);

/// The devices of so many workers: "cpu" for all, or "cuda:1", "cuda:2", … from `device` on. Error: there are
/// more workers than GPUs.
Result<std::vector<std::string>> workerDevices(const std::string& device, int workers,
                                               const std::vector<Device>& there);

/// Whether a job can be run on another machine. `valuesAreThere`: the values of its suite were made there.
/// Error: it needs files that are only here, or too large to be copied there.
Result<void> checkElsewhere(const Job& job, bool valuesAreThere = false);

/// Makes the suite opinfo on the machines of all these targets, on a cluster by a job of its own where it was
/// not made before. There its values then are. Gives its
/// index (core/suites/opinfo_suite.h), which must be the same on all. Errors: a machine cannot make it, they
/// have different ones.
Result<std::string> opinfoOn(const std::vector<RunTarget>& targets, const std::string& device,
                             const std::string& dtype,
                             const std::function<void(const std::string&)>& say = {},
                             const std::stop_token& stop = {});
/// What warpbench-reach prints before such an index, and its exit code where there is none.
inline constexpr std::string_view opinfoMark = "\nWARPBENCH OPINFO\n";
inline constexpr int opinfoFailed = 95;

}  // namespace wb
