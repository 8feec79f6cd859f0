// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/clocks/two_clocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/quantity.h"

namespace wb {
namespace {

// Two readings this close are one time, since they are rounded to nanoseconds.
constexpr double sameReading = 2.5e-9;
constexpr double agreeingShare = 0.02;

}  // namespace

double tickOf(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  double tick = 0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double step = times[i] - times[i - 1];
    if (step > sameReading && (tick == 0 || step < tick)) tick = step;
  }
  return tick;
}

std::string whyClocksDiffer(const TwoClocks& side) {
  if (side.records <= 0 || side.events <= 0) return {};
  const double difference = side.events - side.records;
  if (std::abs(difference) <= side.tick + agreeingShare * side.records) return {};
  if (side.slowed) return "records slow a kernel of so many blocks";
  if (side.launches > 1)
    return difference < 0 ? "a call's launches lie farther apart while they are recorded"
                          : "a call's launches overlap or wait for the host";
  return fmt::format("events hold {} {} of this kernel's launch than of a small one's",
                     formatSeconds(std::abs(difference)), difference > 0 ? "more" : "less");
}

}  // namespace wb
