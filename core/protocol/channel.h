// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>

#include "core/protocol/message.h"

namespace wb {

/// Sends messages to a descriptor from any thread, each of them whole. The program must ignore SIGPIPE.
class MessageWriter {
 public:
  explicit MessageWriter(int descriptor) : descriptor_(descriptor) {}
  /// Blocks while the other side does not read. Error when the other side is gone.
  Result<void> send(const Message& message, std::uint32_t run = 0);
  /// Everything that follows is sealed.
  void sealWith(const SealKey& key);

 private:
  std::mutex mutex_;
  int descriptor_;
  FrameSeal seal_;
};

struct Received {
  Message message;
  std::uint32_t run = 0;
};

/// Reads messages from a descriptor, on one thread. Unknown types are skipped.
class MessageReader {
 public:
  explicit MessageReader(int descriptor) : descriptor_(descriptor) {}
  /// The next message. nullopt at the end of the stream, or when `limit` (negative: for ever) has passed,
  /// which timedOut() then says. An error for a broken stream, after which only errors follow.
  Result<std::optional<Received>> receive(std::chrono::milliseconds limit = std::chrono::milliseconds{-1});
  [[nodiscard]] bool timedOut() const { return timedOut_; }

 private:
  Error fail(Error error);

  int descriptor_;
  FrameDecoder decoder_;
  std::optional<Error> failure_;
  bool timedOut_ = false;
};

}  // namespace wb
