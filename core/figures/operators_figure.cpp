// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/columns.h"
#include "core/figures/figures.h"
#include "core/figures/groups.h"
#include "core/figures/ratio_columns.h"
#include "core/figures/why_empty.h"

namespace wb {

namespace {

Cell passedCell(const OperatorGroup& group) {
  Cell cell = countCell(group.passed);
  const int scored = group.passed + group.failed;
  if (group.failed > 0)
    cell.tone = Tone::bad;
  else
    cell.tone = group.passed > 0 ? Tone::good : Tone::muted;
  cell.detail = fmt::format("{} of {} that count", formatCount(group.passed), formatCount(scored));
  return cell;
}

struct OperatorLine {
  const Report& report;
  const OperatorGroup& group;
  std::optional<SpeedupSummary> summary = {};
};
using Line = const OperatorLine&;

Cell speedupCell(Line line) {
  if (!line.group.scored) return textCell("not scored", Tone::bad, "the kernel crashed or hung in a case");
  if (!line.summary && !line.group.timed.speedups.empty())
    return textCell("too few", Tone::muted, line.group.timed.tooFewText());
  if (!line.summary) return {};
  return ratioCell(line.summary->geomean, toneOf(*line.summary),
                   intervalText(line.summary->low, line.summary->high));
}

/// A count that is news where it is not 0.
Cell newsCell(int count, Tone tone) {
  return countCell(count, count > 0 ? tone : Tone::muted);
}

Cell errorCellOf(Line line) {
  const CaseRow* worst = line.group.worst;
  if (worst == nullptr) return {};
  return errorCell(worst->check.errors->maxAbs,
                   tally(worst->check.verdict) == Tally::fail ? Tone::bad : Tone::neutral);
}

const std::vector<ColumnOf<OperatorLine>>& operatorColumns() {
  using Kind = ColumnKind;
  static const std::vector<ColumnOf<OperatorLine>> columns = {
      {{.key = "operator", .title = "Operator", .meaning = "ATen operator", .kind = Kind::name},
       [](Line line) { return textCell(operatorLabel(line.group.op), Tone::neutral, line.group.op); }},
      {{.key = "kernel",
        .title = "Kernel",
        .meaning = "File of the kernel that ran the cases",
        .kind = Kind::name},
       [](Line line) { return textCell(kernelLabel(line.report, line.group.kernel)); }},
      {{.key = "cases",
        .title = "Cases",
        .meaning = "Cases of the suite for this operator",
        .kind = Kind::number},
       [](Line line) { return countCell(line.group.cases); }},
      {{.key = "passed",
        .title = "Passed",
        .meaning = "Cases that match the reference",
        .kind = Kind::number,
        .better = Better::higher},
       [](Line line) { return passedCell(line.group); }},
      {{.key = "failed",
        .title = "Failed",
        .meaning = "Cases that do not",
        .kind = Kind::number,
        .better = Better::lower,
        .rank = 2},
       [](Line line) { return newsCell(line.group.failed, Tone::bad); }},
      {ratioColumn("speedup", "Speedup", "Geometric mean over the timed cases"), speedupCell},
      endColumn<OperatorLine, &SpeedupSummary::minimum>("minimum", "Min", "Smallest speedup of a case"),
      endColumn<OperatorLine, &SpeedupSummary::maximum>("maximum", "Max", "Largest speedup of a case"),
      {{.key = "faster",
        .title = "Faster",
        .meaning = "Cases that are faster than the reference beyond doubt",
        .kind = Kind::number,
        .better = Better::higher,
        .rank = 4},
       [](Line line) { return line.summary ? newsCell(line.summary->faster, Tone::good) : Cell{}; }},
      {{.key = "slower",
        .title = "Slower",
        .meaning = "Cases that are slower than the reference beyond doubt",
        .kind = Kind::number,
        .better = Better::lower,
        .rank = 4},
       [](Line line) { return line.summary ? newsCell(line.summary->slower, Tone::bad) : Cell{}; }},
      {{.key = "maxAbs",
        .title = "Max abs",
        .meaning = "Largest absolute error over all cases",
        .kind = Kind::number,
        .better = Better::lower,
        .rank = 2},
       errorCellOf},
  };
  return columns;
}

}  // namespace

Table operatorsTable(const Report& report) {
  const bool several = report.kernels.size() > 1;
  TableOf<OperatorLine> table("operators", "Operators",
                              several ? operatorColumns() : without(operatorColumns(), "kernel"));
  for (const OperatorGroup& group : operatorGroups(report)) {
    table.add(group.rowId(), OperatorLine{report, group, group.timed.summary()});
  }
  return std::move(table).take(whyNoCases(report));
}

}  // namespace wb
