// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace wb {

/// What came of work in a fork.
struct ForkedAnswer {
  /// How it ended: its work was done or threw something; it had said nothing new for too long, and was ended;
  /// a signal ended it; or it ended itself, as by exit().
  enum class Ending { done, threw, late, signal, exit };
  /// What it said until it ended.
  std::string said;
  Ending ending = Ending::threw;
};

/// How long to wait for the first words of a fork, and for each further one.
struct ForkPatience {
  double first = 1, next = 1;
};

using SayInFork = std::function<void(const std::string& words)>;

/// Runs work in a fork of this process and waits for it: whatever it does to memory, or to itself, this
/// process does not feel. The fork has no thread but the calling one, and torch works in that thread alone.
/// What it prints is dropped. Where there can be no fork, nothing is said, as if the work had thrown at once.
[[nodiscard]] ForkedAnswer inFork(const std::function<void(const SayInFork& say)>& work,
                                  const ForkPatience& patience);

}  // namespace wb
