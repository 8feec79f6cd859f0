// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>

#include "core/base/sandbox/sandbox.h"

namespace wb {

/// Runs a program inside walls as the only thing that this process does, with all duties of keep()
/// (core/base/process/keeper.h): it ends as the program ended, SIGTERM is passed on, SIGQUIT or the death of
/// this process's parent kills all inside, SIGUSR1 kills what has lost its parent. Watches the limits that
/// the system does not. Where a wall cannot be raised, the program is not started (noWallsExit).
[[noreturn]] void launchInSandbox(Sandbox sandbox, char* const* argv);

/// The same for a program that is a copy of this process: `program` runs in it inside the walls, and ends it.
/// This process must have one thread; its home and temporary folder are other ones from now on.
[[noreturn]] void launchInSandbox(Sandbox sandbox, const std::function<void()>& program);

/// The program that a launcher has started, by the number that this process knows it by; 0 when there is
/// none. To be asked before code runs that may start processes.
[[nodiscard]] pid_t programInside(pid_t launcher);

}  // namespace wb
