// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/clocks/uneven_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/quantity.h"
#include "core/engine/time/clocks/graph_batch.h"
#include "core/engine/time/steadiness.h"

namespace wb {
namespace {

/// Beginning a graph takes less than this, and calls differ by a smaller share: more of a cache is theirs at
/// one time than at another.
constexpr double mostToBegin = 20e-6, mostUneven = 0.3;

/// One side's calls, in seconds each.
struct SideCalls {
  /// What one more of them takes, and what one takes in the longer graph, first or again.
  double more = 0, most = 0;
  [[nodiscard]] double excess() const { return more > 0 ? std::max(0.0, most / more - 1) : 0; }
};

/// Of the longer graph, whose every call has an answer that may be compared, so that none of them can be left
/// out. What it takes to begin a graph weighs least there. A kernel that works at all then does so in each
/// block, and others who use the GPU may be in most of them.
double leastOf(const std::vector<GraphRuns>& runs) {
  return std::min_element(runs.begin(), runs.end(),
                          [](const GraphRuns& a, const GraphRuns& b) { return a.twice < b.twice; })
      ->twice;
}

SideCalls callsOf(const std::vector<GraphRuns>& first, const std::vector<GraphRuns>& again, int calls) {
  std::vector<double> slopes;
  for (const auto* runs : {&first, &again})
    for (const GraphRuns& each : *runs) slopes.push_back(slope(each.once, each.twice, calls));
  SideCalls side;
  side.more = median(std::move(slopes));
  for (const auto* runs : {&first, &again})
    side.most = std::max(side.most, (leastOf(*runs) - mostToBegin) / (2 * calls));
  return side;
}

}  // namespace

std::string unevenCalls(const std::array<std::vector<GraphRuns>, 2>& first,
                        const std::array<std::vector<GraphRuns>, 2>& again, int calls) {
  if (first[1].empty() || again[1].empty() || first[0].empty() || again[0].empty()) return {};
  const SideCalls reference = callsOf(first[0], again[0], calls),
                  candidate = callsOf(first[1], again[1], calls);
  if (candidate.excess() <= mostUneven + 2 * reference.excess()) return {};
  return fmt::format(
      "in CUDA graphs a call takes {}, and one more of them takes {}: the calls do not all do the same work",
      formatSeconds(candidate.most), formatSeconds(candidate.more));
}

}  // namespace wb
