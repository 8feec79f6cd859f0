// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

namespace wb {

/// What the system says about a process.
struct SystemProcess {
  pid_t parent = 0;
  /// 'R', 'S', 'D', 'Z', 'T' (stopped) …
  char state = '?';
};
/// Nullopt when it is gone.
[[nodiscard]] std::optional<SystemProcess> processState(pid_t process);

/// The processes whose parent is `process`.
[[nodiscard]] std::vector<pid_t> childrenOf(pid_t process);

/// The same by the kernel's own list, where it keeps one: far quicker on a machine with many processes, but
/// one that ends at this moment may hide others.
[[nodiscard]] std::vector<pid_t> listedChildrenOf(pid_t process);

/// Whether a process or one that it descends from is stopped, as by Ctrl-Z.
[[nodiscard]] bool stoppedAbove(pid_t process);

}  // namespace wb
