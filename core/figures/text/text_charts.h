// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/figures/text/text.h"

namespace wb {

/// Bars as blocks, one per line.
[[nodiscard]] std::string chartText(const BarChart& chart, const TextStyle& style);
/// A plot of characters on two logarithmic axes, followed by what each point is.
[[nodiscard]] std::string chartText(const PlaneChart& chart, const TextStyle& style);
/// One line per lane, with blanks for gaps, followed by how many things it did and how long they took
/// together.
[[nodiscard]] std::string chartText(const TimeChart& chart, const TextStyle& style);

/// Each map in shades, with the words about it.
[[nodiscard]] std::string chartText(const CellMaps& maps, const TextStyle& style);

}  // namespace wb
