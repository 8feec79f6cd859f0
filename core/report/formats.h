// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/figures/figures.h"
#include "core/model/report.h"

namespace wb {

// The report formats, each in a file of its own; exporters.cpp lists them.

/// One page that opens anywhere, offline.
Result<std::string> htmlReport(const Report& report);
/// The model's JSON, indented.
Result<std::string> jsonReport(const Report& report);
/// The cases with raw numbers, RFC 4180.
Result<std::string> csvReport(const Report& report);
/// The figures as GitHub's tables.
Result<std::string> markdownReport(const Report& report);

/// One figure as Markdown; "" for a chart, which cannot be drawn there.
[[nodiscard]] std::string markdownFigure(const Figure& figure);

/// One figure as a page like the report's, which opens anywhere.
[[nodiscard]] std::string htmlFigure(const Report& report, const FigureInfo& info);
/// One chart as a picture, light or dark as its reader's screen is; "" for what is no chart: cards, tables,
/// maps and memories.
[[nodiscard]] std::string svgFigure(const Figure& figure);

}  // namespace wb
