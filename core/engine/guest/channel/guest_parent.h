// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/process/guest_start.h"
#include "core/base/process/mapped_parts.h"
#include "core/base/result.h"
#include "core/engine/guest/channel/ended_guests.h"

namespace wb {

/// The judge's end of the process from which its guests are forked. That one has found its torch, which takes
/// seconds, and never loads user code, so that each guest begins as it was.
class GuestParent {
 public:
  /// Its guests print where this process prints. `started`: it was started ahead.
  explicit GuestParent(std::vector<std::string> command, ParentOfGuests started = {})
      : command_(std::move(command)), process_(started) {}
  /// One that is closed to others of the same user (closeToOthers()), and to this process, before begin()
  /// returns. It is started by begin() alone: where it was ended since, user code runs in this process.
  /// `copy`: a copy of this process that sleeps, and is woken by begin() for the first time.
  static std::shared_ptr<GuestParent> closed(std::vector<std::string> command, ParentOfGuests copy = {});
  GuestParent(const GuestParent&) = delete;
  GuestParent& operator=(const GuestParent&) = delete;
  ~GuestParent() { end(); }

  /// Starts the process, if it does not run, and does not wait for it. What cannot be started now is asked
  /// for again by fork(), and said then.
  void begin();
  /// Forks a guest, which is a child of this process and not of its parent. It is inside walls
  /// (sandboxText());
  /// "" for none. `socket` is its end of a pair.
  Result<pid_t> fork(const std::string& walls, int socket);
  /// Has it do ahead, once, what guests of Triton kernels would each do first, which takes it a second or
  /// two. Nothing waits for that but the next fork(). Gives whether it is asked now.
  bool warmUp();
  /// -1 where it does not run.
  [[nodiscard]] pid_t pid() const { return process_.pid; }
  /// It was started, and is not there any more, or somebody has put another socket in the place of its own.
  [[nodiscard]] bool hasEnded() const;
  [[nodiscard]] bool isClosed() const { return isClosed_; }
  /// It has forked, so that it is not waited for.
  [[nodiscard]] bool isReady() const { return isReady_; }
  /// Its guests that were killed and may not be gone yet.
  [[nodiscard]] const std::shared_ptr<EndedGuests>& ended() const { return ended_; }

 private:
  Result<void> start();
  void awaitClosed() const;
  void end();
  std::vector<std::string> command_;
  ParentOfGuests process_;
  /// The socket of one that is closed, as the system knows it.
  std::optional<MappedFile> socketFile_;
  bool isReady_ = false, isWarm_ = false, isClosed_ = false, isAsleep_ = false;
  std::shared_ptr<EndedGuests> ended_ = std::make_shared<EndedGuests>();
};

/// The parent's end: forks guests as the judge on `guestSocket` orders until that goes away, and gives the
/// exit code. `guest` is what a guest does until it ends, and gives its exit code. `warms` does what warmUp()
/// asks for; it may be null.
int forkGuests(const std::function<int()>& guest, const std::function<void()>& warms = {});

}  // namespace wb
