// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace wb {

/// How the range profiler has to count a set of metrics on one chip. CUPTI's host side makes it, which needs
/// neither GPU nor driver.
struct CounterPlan {
  /// "GH100"
  std::string chip;
  /// The metrics that the chip has, in the order asked for.
  std::vector<std::string> metrics;
  /// The metrics that it does not have.
  std::vector<std::string> missing;
  /// CUPTI's config image.
  std::vector<std::uint8_t> config;
  std::size_t passes = 0;
};

/// A plan for these metrics; it comes from the user's cache when it was made before (by chip, set, CUPTI's
/// version and availability). `availability` is the device's image of the counters that are available; when
/// it is empty, everything that the chip has counts as available. Errors: no CUPTI, a chip that it does not
/// know.
Result<CounterPlan> planCounters(const std::string& chip, std::span<const std::string> metrics,
                                 std::span<const std::uint8_t> availability = {});

/// The values of plan.metrics, in that order, for one range of a counter data image. NaN where a value could
/// not be computed.
Result<std::vector<double>> evaluateCounters(const CounterPlan& plan,
                                             std::span<const std::uint8_t> counterData, std::size_t range);

/// The chips that this CUPTI knows: "GH100", "GA100", …
Result<std::vector<std::string>> knownChips();

}  // namespace wb
