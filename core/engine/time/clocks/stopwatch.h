// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace wb {

/// Measures by the quick clock, and by the system's where that saw more pass: the quick one reads the
/// processor's time stamp in this process, where user code can have the processor ask it what time it is
/// (PR_SET_TSC).
class Stopwatch {
 public:
  Stopwatch();
  [[nodiscard]] double seconds() const;

 private:
  double startOfSystem_;
  std::chrono::steady_clock::time_point start_;
};

/// A time, and what the system had counted of this process by then.
struct Moment {
  /// Seconds of the steady clock; 0 where that is not known.
  double at = 0;
  /// Seconds that all of the process's threads have worked.
  double worked = 0;
  /// How often the calling thread has given its processor away by itself, as whoever waits does.
  long pauses = 0;
};
[[nodiscard]] Moment momentNow();

/// Seconds from one moment of a thread to another, without those in which it was ready to work and others had
/// the processors: if it has never paused and the process has worked for less than went by, that is the rest.
[[nodiscard]] double secondsBetween(const Moment& from, const Moment& to);

}  // namespace wb
