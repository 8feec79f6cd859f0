// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

// Pure functions of a report. Plug point: one file x_figure.cpp and one row in figures.cpp; the window, the
// terminal and every report format walk that list.

[[nodiscard]] Cards headline(const Report& report);  ///< speedup, pass rate, worst error, time
[[nodiscard]] Table kernelsTable(
    const Report& report);  ///< one row a kernel: language, operator, build time, registers, verdict
[[nodiscard]] Table operatorsTable(
    const Report& report);  ///< one row an operator: cases, passed, geomean with min, max, worst error
[[nodiscard]] Table casesTable(
    const Report& report);  ///< one row a case: verdict, errors, times, speedup with interval
[[nodiscard]] Table problemsTable(
    const Report& report);  ///< diagnostics, failed stages, failed cases' messages, with places
[[nodiscard]] BarChart speedupChart(
    const Report& report);  ///< one bar a timed case while few, else one an operator

[[nodiscard]] Table environmentTable(
    const Report& report);  ///< what the numbers depend on: device, versions, seed, tolerance, timing plan

struct FigureInfo {
  std::string_view id;
  Figure (*make)(const Report&);
  bool ofProfile =
      false;  ///< of the profile stage (profile_figures.h): left out where that was not asked for
};
[[nodiscard]] std::span<const FigureInfo> figures();
/// Whether a reader of this report wants the figure at all.
[[nodiscard]] inline bool wanted(const FigureInfo& info, const Report& report) {
  return !info.ofProfile || report.stages.has(Stage::profile);
}

/// "checking relu.cpp: 12 of 34 · 1 failed": the one line that says where a run is.
[[nodiscard]] std::string progressLine(const Report& report);
/// "compute-sanitizer memcheck found errors at 3 places. …"; "" where none watched or the run has not ended.
[[nodiscard]] std::string sanitizerLine(const Report& report);
/// 0 to 1 over all kernels and stages.
[[nodiscard]] double progressFraction(const Report& report);

}  // namespace wb
