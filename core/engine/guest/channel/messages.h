// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <span>
#include <vector>

#include "core/base/result.h"

namespace wb {

/// Sends a message on a socket, with descriptors. Errors: the other end is gone, or takes nothing until
/// `deadline`.
Result<void> sendMessage(int socket, std::span<const std::byte> message, std::span<const int> descriptors,
                         std::chrono::steady_clock::time_point deadline);

/// Whether something can be received before `deadline`, or the other end is gone.
[[nodiscard]] bool awaitMessage(int socket, std::chrono::steady_clock::time_point deadline);

/// The same of a process that has to work before it answers, for as long as it does and no longer than
/// `most`: false when it had no processor for `idle`, in which a busy machine gives it one.
[[nodiscard]] bool awaitMessageOf(pid_t process, int socket, std::chrono::steady_clock::duration idle,
                                  std::chrono::steady_clock::duration most);

struct ReceivedMessage {
  std::vector<std::byte> bytes;
  std::vector<int> descriptors;
};
/// Receives the next message of at most `most` bytes. Errors: the other end is gone, nothing came until
/// `deadline`, or the message is longer.
Result<ReceivedMessage> receiveMessage(int socket, std::size_t most,
                                       std::chrono::steady_clock::time_point deadline);

}  // namespace wb
