// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace wb {

/// The argument that makes a worker program a parent of guests, and the descriptor on which a judge speaks to
/// it, and to each of its guests.
inline constexpr std::string_view guestArgument = "--guest";
inline constexpr int guestSocket = 3;
/// With this such a program closes itself to others of the same user, before it does anything else.
inline constexpr std::string_view closedArgument = "--closed";

/// Nobody without the right to trace any process can read or write this one's memory from now on, or stop it
/// by a debugger's means, nor that of its copies.
void closeToOthers();
/// For this thread and all that it starts: gives up the right to trace any process, which root has. Processes
/// of the same user that are not closed may be traced as before.
void forgoTracing();
/// Whether this thread has that right, so that no process is closed to it.
[[nodiscard]] bool mayTraceAny();

/// A process from which guests are forked, as its judge knows it.
struct ParentOfGuests {
  pid_t pid = -1;
  int socket = -1;
};

/// What a worker has started before it loaded its engine.
struct StartedAhead {
  /// What the guests of a strict judge are forked from.
  ParentOfGuests guests{};
  /// A copy of this process (copyAsParentOfGuests()), in which references can be served.
  ParentOfGuests copy{};
};

/// The command line of this process with `--guest` at its end: guests are copies of the same program with the
/// same torch. Call it before any user code runs.
[[nodiscard]] std::vector<std::string> ownCommandAsGuest();

/// Why there is no such process, or no guest: what failed, with its errno.
[[nodiscard]] Error guestNotStarted(const std::string& what, int code);

/// Starts such a process in a group of its own, with those variables of the environment that a kernel may
/// read and no descriptors but its socket. It prints where this process prints.
Result<ParentOfGuests> startParentOfGuests(std::vector<std::string> command);

/// The same as a copy of this process, which has its torch already: in a group of its own, closed to others,
/// with those variables, descriptors and no handlers of signals. There it gives nothing, and the copy has to
/// call awaitJudge() and serve. Call it while this process has no other threads that matter, and before any
/// user code runs.
Result<std::optional<ParentOfGuests>> copyAsParentOfGuests();
/// In such a copy: sleeps until the judge has something to say. False when it is gone.
[[nodiscard]] bool awaitJudge();

}  // namespace wb
