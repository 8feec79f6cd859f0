// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

namespace wb {

/// What the system says of a process.
struct SystemProcess {
  pid_t parent = 0;
  char state = '?';  ///< 'R', 'S', 'D', 'Z', 'T' (stopped) …
};
[[nodiscard]] std::optional<SystemProcess> processState(pid_t process);  ///< nullopt when it is gone

/// Processes whose parent `process` is.
[[nodiscard]] std::vector<pid_t> childrenOf(pid_t process);

/// Whether a process or one that it descends from is stopped, as by Ctrl-Z.
[[nodiscard]] bool stoppedAbove(pid_t process);

}  // namespace wb
