// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace wb {

/// How a process gets a view of its own of the system (namespaces): it sees the processes that it starts and
/// no others, no network, and mounts that are read-only but for some folders. It is prepared before the
/// process is made, since what follows a fork may only make system calls.
struct OwnView {
  /// The flags of clone().
  unsigned flags = 0;
  /// The lines of uid_map and gid_map; "" where this process may make the rest without users of its own.
  std::string users, groups;
  /// Folders and files that stay writable, as far as the user may write there.
  std::vector<std::string> writable;
  /// The folder that is seen as /dev/shm, where libraries such as OpenMP's and Python's locks begin with a
  /// file; "" for the system's own, which is read-only.
  std::string sharedMemory;
};
[[nodiscard]] OwnView ownView(std::vector<std::string> writable, std::string sharedMemory = {});

/// A copy of this process in a view of its own, as fork() makes it: 0 in the copy, which is the first process
/// that it sees; −1 and errno where the system refuses.
[[nodiscard]] pid_t forkIntoView(const OwnView& view);

/// Puts the view in order, from inside: users, mounts, and a /proc that shows its processes. The step that
/// failed, with errno; null when all went well.
[[nodiscard]] const char* arrangeView(const OwnView& view);

}  // namespace wb
