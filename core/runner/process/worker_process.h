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
    /// The text of its standard error.
    std::string errors;
    /// The error after which its stream cannot be trusted any more.
    std::optional<Error> broken;
    /// That is because somebody else has written there, or has taken something away.
    bool isForged = false;
    /// Its stream is at its end.
    bool closed = false;
    /// The process has ended.
    bool ended = false;
  };
  /// Reads what is there, at most about a megabyte of each stream unless the process has ended, and writes as
  /// much as the worker takes.
  Input service();

  /// What its standard error holds right now.
  std::string takeErrors();

  /// Sends a message at once as far as the worker reads, and the rest in later calls of service(). False, and
  /// nothing is sent, for a message that is too large.
  bool send(const Message& message, std::uint32_t run = 0);
  /// Sends what others have built, with the proof that this runner says so.
  void give(Built built);
  /// Sends it with a key of its own. What comes from now on has to bear the seal: user code can find the
  /// worker's channel among the open files.
  void welcome(Welcome welcome);
  [[nodiscard]] bool hasUnsent() const { return !unsent_.empty(); }

  /// Adds the descriptors to wait for.
  void appendTo(std::vector<pollfd>& waiting) const;
  /// Adds only the descriptor of its end.
  void appendEndTo(std::vector<pollfd>& waiting) const;

  /// How it ended; nullopt when it still runs after `limit`.
  std::optional<Ending> ending(std::chrono::milliseconds limit);
  /// Whether the system has ended processes for want of memory since this one started; nothing where it does
  /// not count them.
  [[nodiscard]] std::optional<bool> memoryRanOut() const;
  void kill(int signal) const { child_.kill(signal); }
  /// Stops the program inside its walls, with its group, or lets it go on. False where there is none yet, or
  /// no walls.
  [[nodiscard]] bool holdStill(bool still) const;
  /// Kills daemons that user code has started.
  void killOrphans() const { child_.killOrphans(); }
  void closeInput() { child_.closeInput(); }

  [[nodiscard]] Clock::time_point lastHeard() const { return lastHeard_; }
  /// Forgets a silence during which nobody listened.
  void forgive(Clock::duration silence) { lastHeard_ += silence; }
  /// From now on it has to be heard.
  void listenFromNow() { lastHeard_ = Clock::now(); }
  /// The end of its standard error.
  [[nodiscard]] const std::string& errorsTail() const { return tail_; }
  [[nodiscard]] const std::string& banner() const { return decoder_.banner(); }

 private:
  void readMessages(Input& input, std::size_t limit);
  Result<std::optional<Message>> messageIn(Frame frame, bool& isForged);
  void readErrors(std::string& errors, std::size_t limit);
  void writeUnsent();

  Child child_;
  FrameDecoder decoder_;
  FrameSeal seal_;
  SealKey key_{};
  std::string unsent_, tail_;
  bool outputOpen_ = true, errorsOpen_ = true;
  Clock::time_point lastHeard_ = Clock::now();
  std::optional<std::uint64_t> memoryKills_ = outOfMemoryKills();
};

}  // namespace wb
