// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace wb {

/// Runs a program as the only thing that this process does, and ends everything that the program left behind,
/// also daemons, which leave its process group and session and have no parent any more. Ends as the program
/// ended. SIGTERM is passed on. SIGQUIT, or the death of this process's parent, kills the program and all
/// that came of it. SIGUSR1 kills what has lost its parent and leaves the program alone.
[[noreturn]] void keep(char* const* argv);

/// The first argument of a program that is to call keep() with the remaining ones.
inline constexpr const char* keepArgument = "--keep";

}  // namespace wb
