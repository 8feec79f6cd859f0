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

}  // namespace wb
