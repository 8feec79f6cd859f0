// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/figures/case_key.h"
#include "core/figures/charts/chart_figures.h"
#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

// Figures are pure functions of a report. A new one needs one file x_figure.cpp and one row in figures.cpp;
// the window, the terminal and every report format walk that list.

/// Speedup, pass rate, worst error, time.
[[nodiscard]] Cards headline(const Report& report);
/// One row per kernel: language, operator, build time, registers, verdict.
[[nodiscard]] Table kernelsTable(const Report& report);
/// One row per operator: cases, passed, geomean with min, max, worst error.
[[nodiscard]] Table operatorsTable(const Report& report);
/// One row per case: verdict, errors, times, speedup with interval.
[[nodiscard]] Table casesTable(const Report& report);
/// Diagnostics, failed stages, failed cases' messages, with places.
[[nodiscard]] Table problemsTable(const Report& report);
/// The wrong elements of a failing case, or of all that tell them: expected, got, difference, float64.
[[nodiscard]] Table elementsTable(const Report& report, OneCase only = {});
/// Where in their outputs they lie.
[[nodiscard]] CellMaps errorMaps(const Report& report, OneCase only = {});
/// The failing cases that tell their wrong elements.
[[nodiscard]] std::vector<CaseKey> casesWithElements(const Report& report);
/// What the numbers depend on: device, versions, seed, tolerance, timing plan.
[[nodiscard]] Table environmentTable(const Report& report);

struct Earlier;

/// The page of a figure.
enum class Page {
  /// The results of a run.
  summary,
  /// Which elements of a failing case are wrong.
  elements,
  /// Why a kernel is as fast as it is.
  profile,
  /// What is looked up; it stands behind everything else.
  reference,
};

/// The alternatives of Figure, in its order.
enum class FigureKind { cards, table, bars, plane, time, maps, stack, flow };

/// What is known of a figure before it is made.
struct FigureInfo {
  std::string_view id;
  /// A short title for a tab or a line of links, which figures share that stand together; "" for those above
  /// all others.
  std::string_view title;
  Page page = Page::summary;
  /// Where space is short, figures of the highest rank are left out first: a terminal shows rank 0, Markdown
  /// 0 and 1.
  int rank = 0;
  /// The stage without which it has nothing to show; on the profile page that is always profile.
  Stage stage = Stage::compile;
  /// It shows what the compiler made, which needs no device.
  bool ofCode = false;
  /// How many rows a terminal shows at once; 0 means all.
  std::size_t rows = 0;
  /// A table with fewer rows (a chart with fewer bars or points) than these repeats others or says nothing,
  /// and is left out of reports.
  std::size_t fewestRows = 1;
  FigureKind kind = FigureKind::cards;
  Figure (*maker)(const Report&, OneCase) = nullptr;
  /// Of charts that mark where earlier runs stood.
  Figure (*makerBeside)(const Report&, OneCase, std::span<const Earlier>) = nullptr;

  [[nodiscard]] Figure make(const Report& report, OneCase only = {}) const { return maker(report, only); }
};
/// All figures in the order in which a reader wants them.
[[nodiscard]] std::span<const FigureInfo> figures();
/// The figure with this id; null for an unknown one.
[[nodiscard]] const FigureInfo* findFigure(std::string_view id);
/// Whether a reader of this report wants the figure at all: nobody does who did not ask for its stage.
[[nodiscard]] inline bool wanted(const FigureInfo& info, const Report& report) {
  return report.stages.has(info.stage);
}
/// How many rows, bars or points a figure has.
[[nodiscard]] std::size_t sizeOf(const Figure& figure);
/// Why a figure shows nothing, as a sentence; "" where it shows something.
[[nodiscard]] std::string_view whyEmpty(const Figure& figure);

/// The one line that says where a run is: "checking relu.cpp: 12 of 34 · 1 failed".
[[nodiscard]] std::string progressLine(const Report& report);
/// "compute-sanitizer memcheck found errors at 3 places. …"; "" where none watched or the run has not ended.
[[nodiscard]] std::string sanitizerLine(const Report& report);
/// How far the run is over all kernels and stages, 0 to 1.
[[nodiscard]] double progressFraction(const Report& report);

}  // namespace wb
