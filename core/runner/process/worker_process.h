// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/memory.h"
#include "core/base/process/process.h"
#include "core/protocol/channel.h"

namespace wb {

/// One worker process and its streams, for a poll loop: nothing here waits for the worker, whatever it does
/// or fails to do.
class WorkerProcess {
 public:
  using Clock = std::chrono::steady_clock;

  explicit WorkerProcess(Child child);

  /// What came since the last call.
  struct Input {
    std::vector<Received> messages;
    std::string errors;           ///< text of its standard error
    std::optional<Error> broken;  ///< its stream cannot be trusted any more
    bool closed = false;          ///< its stream is at its end
    bool ended = false;           ///< the process has ended
  };
  /// Reads what is there, at most about a megabyte of each stream unless the process has ended, and writes
  /// what it takes.
  Input service();

  /// What its standard error holds right now.
  std::string takeErrors();

  /// Sent at once as far as the worker reads; the rest with later calls of service(). False, and nothing is
  /// sent, for a message that is too large.
  bool send(const Message& message, std::uint32_t run = 0);
  [[nodiscard]] bool hasUnsent() const { return !unsent_.empty(); }

  /// Descriptors to wait for.
  void appendTo(std::vector<pollfd>& waiting) const;
  void appendEndTo(std::vector<pollfd>& waiting) const;  ///< its end alone

  /// How it ended; nullopt when it still runs after `limit`.
  std::optional<Ending> ending(std::chrono::milliseconds limit);
  /// Whether the system has ended processes for want of memory since this one started; nothing where it does
  /// not count them.
  [[nodiscard]] std::optional<bool> memoryRanOut() const;
  void kill(int signal) const { child_.kill(signal); }
  void killOrphans() const { child_.killOrphans(); }  ///< daemons that user code has started
  void closeInput() { child_.closeInput(); }

  [[nodiscard]] Clock::time_point lastHeard() const { return lastHeard_; }
  void forgive(Clock::duration silence) { lastHeard_ += silence; }       ///< for which nobody listened
  [[nodiscard]] const std::string& errorsTail() const { return tail_; }  ///< end of its standard error
  [[nodiscard]] const std::string& banner() const { return decoder_.banner(); }

 private:
  void readMessages(Input& input, std::size_t limit);
  void readErrors(std::string& errors, std::size_t limit);
  void writeUnsent();

  Child child_;
  FrameDecoder decoder_;
  std::string unsent_, tail_;
  bool outputOpen_ = true, errorsOpen_ = true;
  Clock::time_point lastHeard_ = Clock::now();
  std::optional<std::uint64_t> memoryKills_ = outOfMemoryKills();
};

}  // namespace wb
