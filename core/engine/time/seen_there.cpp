// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/seen_there.h"

#include <fmt/format.h>

#include <algorithm>

namespace wb {
namespace {

/// One call alone may be one in which a kernel tries its ways, or makes ready.
constexpr int fewestCalls = 2;
/// Operators of ATen's that took less than this part of the time in the reference's code have not run it.
constexpr double worthOfCode = 0.25;

}  // namespace

void SeenThere::Calls::add(const std::set<std::uint64_t>& places) {
  ++made;
  for (const std::uint64_t place : places) ++reached[place];
}

void SeenThere::addObserved(const std::set<std::uint64_t>& reached, const std::vector<RanPart>& ran) {
  double seconds = 0;
  for (const RanPart& part : ran)
    if (part.owner != ownedByKernel) seconds += part.seconds;
  admitted = observed.made == 0 ? seconds : std::min(admitted, seconds);
  observed.add(reached);
}

std::string hiddenThere(const SeenThere& seen, const std::vector<HotCode>& hot, std::string_view op,
                        double took) {
  const std::string code = op.starts_with("problem::")
                               ? "the code of torch's in which its reference spends its time"
                               : fmt::format("torch's own code for {}", op);
  const auto times = [](const SeenThere::Calls& calls, std::uint64_t place) {
    const auto found = calls.reached.find(place);
    return found == calls.reached.end() ? 0 : found->second;
  };
  for (const HotCode& each : hot) {
    const int observed = times(seen.observed, each.place);
    if (times(seen.unobserved, each.place) >= fewestCalls && seen.observed.made >= fewestCalls &&
        observed == 0)
      return fmt::format("the kernel runs {} when nobody observes it", code);
    // A kernel that is much faster than its reference spends less time in the same code.
    if (observed >= fewestCalls && seen.admitted < worthOfCode * std::min(each.seconds, took))
      return fmt::format("the kernel runs {}, past torch's dispatcher", code);
  }
  return {};
}

}  // namespace wb
