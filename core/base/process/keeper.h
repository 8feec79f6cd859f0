// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace wb {

/// Runs a program as the only thing that this process does, and ends everything that it left behind: also
/// daemons, which leave its process group and session and have no parent any more. Ends as the program
/// ended. SIGTERM is passed on; SIGQUIT kills the program and all that came of it, as does the death of this
/// process's parent; SIGUSR1 kills what has lost its parent and leaves the program alone.
[[noreturn]] void keep(char* const* argv);

/// First argument of a program that is to call keep() with the rest.
inline constexpr const char* keepArgument = "--keep";

}  // namespace wb
