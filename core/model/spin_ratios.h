// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>

namespace wb {

/// How long the reference of a kernel of `selftest` waits over how long the kernel does, as a fraction. The
/// kernels of the job stand in the order of `spinRatios`, so that whoever reads its report knows what is
/// true.
struct SpinRatio {
  std::int64_t over = 1, under = 1;
  /// Cycles that the kernel waits where the reference waits `cycles`.
  [[nodiscard]] constexpr std::int64_t candidate(std::int64_t cycles) const { return cycles * under / over; }
  /// A few hundredths from 1: what is asked is whether the difference is seen.
  [[nodiscard]] bool isSmall() const { return over != under && 20 * std::abs(over - under) <= under; }
};

inline constexpr std::array spinRatios{SpinRatio{1, 4},     SpinRatio{1, 2},     SpinRatio{9, 10},
                                       SpinRatio{11, 10},   SpinRatio{2, 1},     SpinRatio{4, 1},
                                       SpinRatio{101, 100}, SpinRatio{102, 100}, SpinRatio{105, 100}};

/// About: of today's cards when they work.
inline constexpr double spinCyclesPerMicrosecond = 1980;
/// From so many cycles on the kernels wait by the device's timer, 1/1980 µs for each.
inline constexpr std::int64_t spinByTimer = 30000;

}  // namespace wb
