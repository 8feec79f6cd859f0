// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

namespace wb {

/// What one side's graphs of N and of 2 N calls took in a block, in seconds: when they ran first, on contents
/// that were new, and when they ran again.
struct GraphRuns {
  double once = 0, twice = 0;
};

/// Why the slope between the graphs is not what a call of the candidate takes; "" where it is. Each call
/// takes the same, in both graphs and whenever they run, but for what beginning a graph takes. A kernel that
/// keeps its answers works when the contents are new, and one that knows which graph runs works in the
/// shorter one. `first` and `again` hold a block each; of each side [0] is the reference's, which tells what
/// is usual.
[[nodiscard]] std::string unevenCalls(const std::array<std::vector<GraphRuns>, 2>& first,
                                      const std::array<std::vector<GraphRuns>, 2>& again, int calls);

}  // namespace wb
