// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

namespace wb {

/// Runs a program as the only thing that this process does, and ends everything that the program left behind,
/// also daemons, which leave its process group and session and have no parent any more. Ends as the program
/// ended. SIGTERM is passed on. SIGQUIT, or the death of this process's parent, kills the program and all
/// that came of it; so does SIGUSR2, which srun passes on to its step. SIGUSR1 kills what has lost its parent
/// and leaves the program alone. srun is kept as keepStep() says (core/base/process/step_keeper.h).
[[noreturn]] void keep(char* const* argv);

/// Kills the children of this process but for one, and those that it inherits by that.
void killChildrenBut(pid_t spared);

/// Gives all threads of a process the ordinary scheduling. One that has let itself have a few microseconds of
/// a second (SCHED_DEADLINE, which takes a privilege) would need days to die.
void schedulePlainly(pid_t process);

/// Ends this process as another one ended, by the status that waitpid() gave.
[[noreturn]] void endAs(int status);

/// The first argument of a program that is to call keep() with the remaining ones.
inline constexpr const char* keepArgument = "--keep";

}  // namespace wb
