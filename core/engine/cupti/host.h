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
  std::string chip;                  ///< "GH100"
  std::vector<std::string> metrics;  ///< those that the chip has, in the order asked for
  std::vector<std::string> missing;  ///< those that it has not
  std::vector<std::uint8_t> config;  ///< config image
  std::size_t passes = 0;
};

/// A plan for these metrics, from the user's cache when it was made before (by chip, set, CUPTI's version and
/// availability). `availability`: the counter availability image of the device; empty: everything the chip
/// has. Errors: no CUPTI, a chip it does not know.
Result<CounterPlan> planCounters(const std::string& chip, std::span<const std::string> metrics,
                                 std::span<const std::uint8_t> availability = {});

/// Values of plan.metrics, in that order, for one range of a counter data image. NaN where a value could not
/// be computed.
Result<std::vector<double>> evaluateCounters(const CounterPlan& plan,
                                             std::span<const std::uint8_t> counterData, std::size_t range);

/// Chips that this CUPTI knows: "GH100", "GA100", …
Result<std::vector<std::string>> knownChips();

}  // namespace wb
