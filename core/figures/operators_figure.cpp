// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/figures.h"
#include "core/figures/groups.h"

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

void addSpeedup(std::vector<Cell>& cells, const OperatorGroup& group) {
  if (group.speedups.empty()) {
    cells.push_back(group.scored ? Cell{}
                                 : textCell("not scored", Tone::bad, "the kernel crashed or hung in a case"));
    cells.resize(cells.size() + 4);
    return;
  }
  const SpeedupSummary summary = summarize(group.speedups);
  cells.push_back(ratioCell(summary.geomean, toneOf(summary), intervalText(summary.low, summary.high)));
  cells.push_back(ratioCell(summary.minimum, Tone::muted));
  cells.push_back(ratioCell(summary.maximum, Tone::muted));
  cells.push_back(countCell(summary.faster, summary.faster > 0 ? Tone::good : Tone::muted));
  cells.push_back(countCell(summary.slower, summary.slower > 0 ? Tone::bad : Tone::muted));
}

}  // namespace

Table operatorsTable(const Report& report) {
  Table table;
  table.id = "operators";
  table.title = "Operators";
  const bool several = report.kernels.size() > 1;
  table.columns = {{"operator", "Operator", false, "ATen operator"}};
  if (several) table.columns.push_back({"kernel", "Kernel", false, "File of the kernel that ran the cases"});
  for (Column& column : std::vector<Column>{
           {"cases", "Cases", true, "Cases of the suite for this operator"},
           {"passed", "Passed", true, "Cases that match the reference"},
           {"failed", "Failed", true, "Cases that do not", 2},
           {"speedup", "Speedup", true, "Geometric mean over the timed cases"},
           {"minimum", "Min", true, "Smallest speedup of a case", 3},
           {"maximum", "Max", true, "Largest speedup of a case", 3},
           {"faster", "Faster", true, "Cases that are faster than the reference beyond doubt", 4},
           {"slower", "Slower", true, "Cases that are slower than the reference beyond doubt", 4},
           {"maxAbs", "Max abs", true, "Largest absolute error over all cases", 2}})
    table.columns.push_back(std::move(column));
  for (const OperatorGroup& group : operatorGroups(report)) {
    std::vector<Cell> cells;
    cells.reserve(table.columns.size());
    cells.push_back(textCell(operatorLabel(group.op), Tone::neutral, group.op));
    if (several) cells.push_back(textCell(kernelLabel(report, group.kernel)));
    cells.push_back(countCell(group.cases));
    cells.push_back(passedCell(group));
    cells.push_back(countCell(group.failed, group.failed > 0 ? Tone::bad : Tone::muted));
    addSpeedup(cells, group);
    cells.push_back(
        group.worst == nullptr
            ? Cell{}
            : errorCell(group.worst->check.errors->maxAbs,
                        tally(group.worst->check.verdict) == Tally::fail ? Tone::bad : Tone::neutral));
    table.rows.push_back(std::move(cells));
    table.rowIds.push_back(group.rowId());
  }
  if (table.rows.empty()) table.empty = "No cases yet";
  return table;
}

}  // namespace wb
