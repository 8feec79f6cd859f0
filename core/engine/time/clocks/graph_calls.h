// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace wb {

/// There are never more sets of inputs for the graphs of a case.
constexpr int mostGraphSets = 128;

/// How many calls N a case's shorter graph holds; the longer one holds 2 N, and each of the 3 N calls has a
/// set of inputs of its own: a kernel that met one twice in a sample could know the answer.
struct GraphCalls {
  int calls = 0;
  /// All 3 N sets take more than the cache, so that each is read from memory.
  bool cold = false;
};

/// N calls are wanted, which is what makes a sample long enough. Where a set (`bytesPerSet`, results
/// included) is so small that the sets of many calls fit into a quarter of the cache (`cacheBytes`), there
/// are no more than that; else there are so many that nothing of them is found there. Something between would
/// be neither hot nor cold. There is memory for `mostSets`. `calls` is 0 where that is not enough for one
/// call.
[[nodiscard]] GraphCalls graphCalls(int wanted, std::int64_t bytesPerSet, std::int64_t cacheBytes,
                                    std::int64_t mostSets);

}  // namespace wb
