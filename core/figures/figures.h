// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/figures/case_key.h"
#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

// Pure functions of a report. Plug point: one file x_figure.cpp and one row in figures.cpp; the window, the
// terminal and every report format walk that list.

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
/// One bar per timed case while they are few, else one per operator.
[[nodiscard]] BarChart speedupChart(const Report& report);
/// What the numbers depend on: device, versions, seed, tolerance, timing plan.
[[nodiscard]] Table environmentTable(const Report& report);

/// Where a figure stands. The figures of the profile page are left out where profiling was not asked for.
enum class Page {
  /// what a run came to
  summary,
  /// why a kernel is as fast as it is
  profile,
  /// what is looked up, and stands behind all others
  reference,
};

/// The alternatives of Figure, in its order.
enum class FigureKind { cards, table, bars, plane, time };

/// What is known of a figure before it is made.
struct FigureInfo {
  std::string_view id;
  /// short, for a tab or a line of links: figures of one title stand together; "" for those above all others
  std::string_view title;
  Page page = Page::summary;
  /// where space is short, those of the highest rank go first: a terminal shows rank 0, Markdown 0 and 1
  int rank = 0;
  /// of what the compiler made, which needs no device
  bool ofCode = false;
  /// rows that are read at once, in a terminal; 0 all
  std::size_t rows = 0;
  /// with fewer rows than these a table says what others say already, or nothing
  std::size_t fewestRows = 1;
  FigureKind kind = FigureKind::cards;
  Figure (*maker)(const Report&, OneCase) = nullptr;

  [[nodiscard]] Figure make(const Report& report, OneCase only = {}) const { return maker(report, only); }
};
/// In the order in which a reader wants them.
[[nodiscard]] std::span<const FigureInfo> figures();
/// Null for an unknown id.
[[nodiscard]] const FigureInfo* findFigure(std::string_view id);
/// Whether a reader of this report wants the figure at all.
[[nodiscard]] inline bool wanted(const FigureInfo& info, const Report& report) {
  return info.page != Page::profile || report.stages.has(Stage::profile);
}
/// Why there is nothing to see, as a sentence; "" where there is something.
[[nodiscard]] std::string_view whyEmpty(const Figure& figure);

/// "checking relu.cpp: 12 of 34 · 1 failed": the one line that says where a run is.
[[nodiscard]] std::string progressLine(const Report& report);
/// "compute-sanitizer memcheck found errors at 3 places. …"; "" where none watched or the run has not ended.
[[nodiscard]] std::string sanitizerLine(const Report& report);
/// 0 to 1 over all kernels and stages.
[[nodiscard]] double progressFraction(const Report& report);

}  // namespace wb
