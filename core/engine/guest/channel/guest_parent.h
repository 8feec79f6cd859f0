// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/engine/guest/channel/ended_guests.h"

namespace wb {

/// The argument that makes a worker program a parent of guests, and the descriptor on which a judge speaks to
/// it, and to each of its guests.
inline constexpr std::string_view guestArgument = "--guest";
inline constexpr int guestSocket = 3;

/// The command line of this process with `--guest` at its end: guests are copies of the same program with the
/// same torch. Call it before any user code runs.
[[nodiscard]] std::vector<std::string> ownCommandAsGuest();

/// The judge's end of the process from which its guests are forked. That one has found its torch, which takes
/// seconds, and never loads user code, so that each guest begins as it was.
class GuestParent {
 public:
  /// Its guests print where this process prints.
  explicit GuestParent(std::vector<std::string> command) : command_(std::move(command)) {}
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
  /// It has forked, so that it is not waited for.
  [[nodiscard]] bool isReady() const { return isReady_; }
  /// Its guests that were killed and may not be gone yet.
  [[nodiscard]] const std::shared_ptr<EndedGuests>& ended() const { return ended_; }

 private:
  Result<void> start();
  void end();
  std::vector<std::string> command_;
  pid_t pid_ = -1;
  int socket_ = -1;
  bool isReady_ = false;
  std::shared_ptr<EndedGuests> ended_ = std::make_shared<EndedGuests>();
};

/// The parent's end: forks guests as the judge on `guestSocket` orders until that goes away, and gives the
/// exit code. `guest` is what a guest does until it ends, and gives its exit code.
int forkGuests(const std::function<int()>& guest);

}  // namespace wb
