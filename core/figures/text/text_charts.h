// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/figures/text/text.h"

namespace wb {

/// Bars as blocks, a line each.
[[nodiscard]] std::string chartText(const BarChart& chart, const TextStyle& style);
/// A plot of characters on two logarithmic axes, then what each point is.
[[nodiscard]] std::string chartText(const PlaneChart& chart, const TextStyle& style);
/// A line a lane, gaps left blank, then how many things it did and how long they took together.
[[nodiscard]] std::string chartText(const TimeChart& chart, const TextStyle& style);

}  // namespace wb
