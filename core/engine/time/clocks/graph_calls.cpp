// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/clocks/graph_calls.h"

#include <algorithm>

namespace wb {
namespace {

/// The sets of a call in the shorter graph and of two in the longer one.
constexpr std::int64_t setsPerCall = 3;
/// So few calls make a slope that is exact enough.
constexpr std::int64_t fewCalls = 5;
/// What takes so much more than the cache leaves nothing of itself there.
constexpr double overCache = 1.25;

}  // namespace

GraphCalls graphCalls(int wanted, std::int64_t bytesPerSet, std::int64_t cacheBytes, std::int64_t mostSets) {
  const std::int64_t bytes = std::max<std::int64_t>(bytesPerSet, 1);
  const std::int64_t most = std::min<std::int64_t>(mostSets, mostGraphSets) / setsPerCall;
  if (most < 1) return {};
  std::int64_t calls = std::clamp<std::int64_t>(wanted, 1, most);
  const std::int64_t hot = cacheBytes / 4 / bytes / setsPerCall;
  if (calls <= hot || hot >= fewCalls) return {static_cast<int>(std::min(calls, hot)), false};
  const auto over = static_cast<std::int64_t>(overCache * static_cast<double>(cacheBytes));
  const std::int64_t cold = (over + setsPerCall * bytes - 1) / (setsPerCall * bytes);
  calls = std::min(std::max(calls, cold), most);
  return {static_cast<int>(calls), setsPerCall * calls * bytes >= over};
}

}  // namespace wb
