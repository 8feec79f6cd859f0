// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/process/process.h"
#include "core/runner/launcher.h"
#include "core/targets/run_target.h"

namespace wb {

/// The programs of a worker as the nodes of a cluster see them, and the one that keeps srun on this machine.
struct SlurmPrograms {
  std::filesystem::path keeper;
  std::string worker;
  /// The command line of a worker inside Python.
  std::vector<std::string> pythonWorker;
};

/// This program's own, for clusters whose nodes share the folder in which it is installed.
Result<SlurmPrograms> sharedPrograms(const RunTarget& target);

/// Each of a worker's starts is a job of one task on one node. srun has to run where Warpbench does, so this
/// is for login nodes.
[[nodiscard]] std::unique_ptr<Launcher> slurmLauncher(RunTarget target, SlurmPrograms programs);

/// What a worker's device is called on its node: "cuda:0" where the target asks for GPUs, of which each
/// worker sees its own alone.
[[nodiscard]] std::string slurmDevice(const RunTarget& target);

/// The command line that runs another one as a job of one task. It has to have a keeper
/// (core/base/process/step_keeper.h).
[[nodiscard]] std::vector<std::string> slurmStep(const RunTarget& target, std::vector<std::string> command);

/// What a target asks of the scheduler, as options of srun and sbatch.
[[nodiscard]] std::vector<std::string> slurmOptions(const RunTarget& target);

/// What a start has come to, by what srun and its keeper have said.
[[nodiscard]] StartState slurmStart(const RunTarget& target, std::string_view errors);

/// What a worker on a node has said that cannot work: where that is, and what to do there.
[[nodiscard]] Error onNode(const RunTarget& target, Error error);

/// Where a job waits, and why: "the queue of gpu: Priority". A job that is held starts only when somebody
/// lets it go, and one that asks for more than its partition allows does not start, which is said.
[[nodiscard]] std::string slurmQueue(const RunTarget& target, std::string_view reason);

/// Why a step is gone where its program is not to blame. "" where it ended by itself. That srun ended well
/// proves nothing: it does so when a node fails.
[[nodiscard]] std::string slurmLoss(std::string_view errors, Ending ending);

/// What others have done to a job that is over in this state, in the words of slurmLoss(): "its node failed".
/// "" for one that ended by itself.
[[nodiscard]] std::string_view slurmEnd(std::string_view state);

}  // namespace wb
