// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace wb {

/// Whether a command line is srun's and gives its job a name with "--job-name=".
[[nodiscard]] bool isStep(char* const* argv);

/// Keeps such a step of a Slurm cluster, as keep() does a program of this machine. Ends as the step ended;
/// 128 and a signal's number, as srun says it, becomes that signal. SIGTERM, SIGQUIT and the death of this
/// process's parent let the keeper in the step (keep()) end all that its program left behind, then end srun
/// in the way that lets it end the step, and then cancel the job, so that nothing is left on the cluster.
/// srun's own line about how its task ended is left out. While the job waits in the queue, its reason is
/// written to standard error, in lines that begin with `queueMark`; such a line without a reason says that
/// the waiting is over. Where the step did not end well, the scheduler is asked once what became of the job,
/// and where that was not its own end, a line says so that begins with `jobMark`.
[[noreturn]] void keepStep(char* const* argv);

inline constexpr std::string_view queueMark = "warpbench-queue:";
inline constexpr std::string_view jobMark = "warpbench-job:";

}  // namespace wb
