// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/engine/time/clocks/stopwatch.h"

namespace wb {

/// How long samples go on after their clock has stopped, where nothing of a kernel's should run any more. One
/// that has put its own code where its calls return to works then, and its answers are there when they are
/// looked at. While others have the processors it does not count.
class AfterTheClock {
 public:
  /// A sample's clock has stopped after `seconds`, at `at`, and it comes back `now`.
  void stopped(bool candidate, double seconds, const Moment& at, const Moment& now);
  /// Its side was left, and its answers are looked at from `now` on.
  void left(bool candidate, const Moment& now);
  /// Says that the candidate's samples go on; "" where they do not, or there were too few.
  [[nodiscard]] std::string words() const;

 private:
  struct Side {
    std::vector<double> claimed, returning, leaving;
    Moment at;
  };
  std::array<Side, 2> sides_;
};

}  // namespace wb
