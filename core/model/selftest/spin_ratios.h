// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace wb {

/// How long the reference of a kernel of `selftest` waits divided by how long the kernel waits, as a
/// fraction. The kernel's path says it (`spinPath`), so that whoever reads a report knows the true ratio.
struct SpinRatio {
  std::int64_t over = 1, under = 1;
  /// The cycles that the kernel waits where the reference waits `cycles`.
  [[nodiscard]] constexpr std::int64_t candidate(std::int64_t cycles) const { return cycles * under / over; }
  /// The ratio is a few hundredths from 1; the question is whether that difference is seen.
  [[nodiscard]] bool isSmall() const { return over != under && 20 * std::abs(over - under) <= under; }
};

inline constexpr std::array spinRatios{SpinRatio{1, 4},     SpinRatio{1, 2},     SpinRatio{9, 10},
                                       SpinRatio{11, 10},   SpinRatio{2, 1},     SpinRatio{4, 1},
                                       SpinRatio{101, 100}, SpinRatio{102, 100}, SpinRatio{105, 100}};

/// The path of the kernel of a ratio, "spin_101_100.cu".
[[nodiscard]] inline std::string spinPath(const SpinRatio& ratio) {
  return "spin_" + std::to_string(ratio.over) + "_" + std::to_string(ratio.under) + ".cu";
}

/// An approximate clock of today's cards at work.
inline constexpr double spinCyclesPerMicrosecond = 1980;
/// From so many cycles on the kernels wait by the device's timer, 1/1980 µs for each.
inline constexpr std::int64_t spinByTimer = 30000;

}  // namespace wb
