// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace wb {

/// The smallest step between different ones of these times, in seconds: what a clock ticks at. 0 where all
/// are alike.
[[nodiscard]] double tickOf(std::vector<double> times);

/// One side's kernel time by two clocks that do not depend on each other.
struct TwoClocks {
  double records = 0, events = 0;  ///< seconds
  double tick = 0;                 ///< of events
  std::size_t launches = 1;        ///< of a call
  bool slowed = false;             ///< a kernel of so many blocks that records slow it
};
/// Why they differ by more than a tick and 2 %; "" where they agree or one is not known.
[[nodiscard]] std::string whyClocksDiffer(const TwoClocks& side);

}  // namespace wb
