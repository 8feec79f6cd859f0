// SPDX-License-Identifier: Apache-2.0
#include "core/figures/selftest/null_test_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/quantity.h"
#include "core/figures/columns.h"

namespace wb {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::int64_t elementsOf(const Case& definition) {
  std::int64_t elements = 0;
  for (const char c : definition.args) {
    if (c >= '0' && c <= '9') elements = elements * 10 + (c - '0');
    if (c == ']') break;
  }
  return elements;
}

Cell numberCell(const std::string& text, double value) {
  Cell cell;
  cell.text = std::isnan(value) ? "" : text;
  cell.sort = value;
  return cell;
}

struct NullLine {
  const NullRow& row;
  DoBenchRow theirs;
};

const std::vector<ColumnOf<NullLine>>& nullColumns() {
  using Kind = ColumnKind;
  using Line = const NullLine&;
  static const std::vector<ColumnOf<NullLine>> columns = {
      {{.title = "Elements", .meaning = "Of the vector", .kind = Kind::number},
       [](Line line) {
         return numberCell(formatCount(line.row.elements), static_cast<double>(line.row.elements));
       }},
      {{.title = "Time", .meaning = "Of one call, median", .kind = Kind::number, .unit = "s"},
       [](Line line) { return numberCell(formatSeconds(line.row.seconds), line.row.seconds); }},
      {{.title = "Worst error",
        .meaning = "Largest |speedup − 1|, which should be 0",
        .kind = Kind::number,
        .better = Better::lower},
       [](Line line) { return numberCell(formatPercent(line.row.worst), line.row.worst); }},
      {{.title = "Covers 1",
        .meaning = "Intervals that hold the true speedup, 1; 95 % should",
        .kind = Kind::number,
        .better = Better::higher},
       [](Line line) {
         return numberCell(fmt::format("{} of {}", line.row.covered, line.row.repeats), line.row.covered);
       }},
      {{.title = "A case", .meaning = "What timing one case took", .kind = Kind::number, .unit = "s"},
       [](Line line) {
         const double seconds = line.row.caseSeconds;
         return numberCell(formatSeconds(seconds), seconds > 0 ? seconds : unknown);
       }},
      {{.title = "Two clocks",
        .meaning = "Kernel time by events over that by CUPTI's records, less 1",
        .kind = Kind::number},
       [](Line line) { return numberCell(formatChange(line.row.clocks), line.row.clocks); }},
      {{.title = "do_bench: worst",
        .meaning = "The same of two runs of Triton's do_bench, one after the other",
        .kind = Kind::number,
        .better = Better::lower},
       [](Line line) { return numberCell(formatPercent(line.theirs.worst), line.theirs.worst); }},
      {{.title = "A pair", .meaning = "What those two runs took", .kind = Kind::number, .unit = "s"},
       [](Line line) { return numberCell(formatSeconds(line.theirs.seconds), line.theirs.seconds); }},
      {{.title = "Clock", .meaning = "What was measured"},
       [](Line line) {
         Cell cell;
         cell.text = line.row.clock;
         return cell;
       }},
  };
  return columns;
}

}  // namespace

std::vector<NullRow> nullRows(const Report& report, const std::map<std::uint32_t, double>& caseSeconds) {
  std::vector<NullRow> rows;
  std::map<std::int64_t, std::vector<double>> times, clocks, costs;
  if (report.kernels.empty()) return rows;
  const KernelReport& kernel = *report.kernels[0];
  for (std::size_t i = 0; i < kernel.cases.size(); ++i) {
    const CaseRow& each = kernel.cases[i];
    if (!each.timing) continue;
    const std::int64_t elements = elementsOf(each.definition);
    if (rows.empty() || rows.back().elements != elements) {
      rows.emplace_back();
      rows.back().elements = elements;
      rows.back().clock = each.timing->clock;
    }
    NullRow& row = rows.back();
    const Speedup& speedup = each.timing->speedup;
    ++row.repeats;
    row.worst = std::max(row.worst, std::abs(speedup.ratio - 1));
    row.covered += speedup.low <= 1 && 1 <= speedup.high ? 1 : 0;
    times[elements].push_back(each.timing->candidate);
    if (each.timing->events.candidate > 0 && each.timing->kernel.candidate > 0)
      clocks[elements].push_back(each.timing->events.candidate / each.timing->kernel.candidate - 1);
    if (const auto found = caseSeconds.find(static_cast<std::uint32_t>(i)); found != caseSeconds.end())
      costs[elements].push_back(found->second);
  }
  for (NullRow& row : rows) {
    row.seconds = median(times[row.elements]);
    row.clocks = clocks[row.elements].empty() ? unknown : median(clocks[row.elements]);
    double sum = 0;
    for (const double cost : costs[row.elements]) sum += cost;
    row.caseSeconds = costs[row.elements].empty() ? 0 : sum / static_cast<double>(costs[row.elements].size());
  }
  return rows;
}

Table nullTable(const std::vector<NullRow>& rows, const std::map<std::int64_t, DoBenchRow>& doBench) {
  TableOf<NullLine> table("selftest", "Null test", nullColumns());
  for (const NullRow& row : rows) {
    const auto peer = doBench.find(row.elements);
    table.add(std::to_string(row.elements),
              {row, peer == doBench.end() ? DoBenchRow{unknown, unknown} : peer->second});
  }
  return std::move(table).take("Nothing was timed.");
}

}  // namespace wb
