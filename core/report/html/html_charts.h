// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <type_traits>

#include "core/figures/figure.h"

namespace wb {

// Charts of the HTML report: a frame and a table that stand in the page itself, and what charts.js reads to
// draw them. Timelines, stacks and memories need no
// script.

[[nodiscard]] std::string htmlChart(const BarChart& chart);
[[nodiscard]] std::string htmlChart(const PlaneChart& chart);
[[nodiscard]] std::string htmlChart(const TimeChart& chart);
/// Each map as a picture that report.js draws, with a box for each dimension that chooses the slice.
[[nodiscard]] std::string htmlMaps(const CellMaps& maps);

[[nodiscard]] std::string htmlChart(const StackChart& chart);
[[nodiscard]] std::string htmlChart(const FlowChart& chart);

template <class Chart>
inline constexpr bool isDrawnByScript = std::is_same_v<Chart, BarChart> || std::is_same_v<Chart, PlaneChart>;
[[nodiscard]] nlohmann::json pageJson(const BarChart& chart);
[[nodiscard]] nlohmann::json pageJson(const PlaneChart& chart);

}  // namespace wb
