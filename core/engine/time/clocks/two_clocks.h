// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace wb {

/// The tick of a clock: the smallest step between different ones of these times, in seconds. 0 where all are
/// alike.
[[nodiscard]] double tickOf(std::vector<double> times);

/// One side's kernel time by two clocks that do not depend on each other.
struct TwoClocks {
  /// The time by records and by events, in seconds.
  double records = 0, events = 0;
  /// The tick of events.
  double tick = 0;
  /// The launches of a call.
  std::size_t launches = 1;
  /// A kernel has so many blocks that recording slows it.
  bool slowed = false;
};
/// Why the two differ by more than a tick and 2 %; "" where they agree or one is not known.
[[nodiscard]] std::string whyClocksDiffer(const TwoClocks& side);

}  // namespace wb
