// SPDX-License-Identifier: Apache-2.0
#include "core/figures/selftest/null_test_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/quantity.h"

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

Column column(const char* key, const char* title, const char* meaning) {
  Column made;
  made.key = key;
  made.title = title;
  made.numeric = true;
  made.meaning = meaning;
  return made;
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
  Table table;
  table.id = "selftest";
  table.title = "Null test";
  table.empty = "Nothing was timed.";
  table.columns = {
      column("elements", "Elements", "Of the vector"),
      column("time", "Time", "Of one call, median"),
      column("worst", "Worst error", "Largest |speedup − 1|, which should be 0"),
      column("covered", "Covers 1", "Intervals that hold the true speedup, 1; 95 % should"),
      column("cost", "A case", "What timing one case took"),
      column("clocks", "Two clocks", "Kernel time by events over that by CUPTI's records, less 1"),
      column("dobench", "do_bench: worst", "The same of two runs of Triton's do_bench, one after the other"),
      column("dobenchcost", "A pair", "What those two runs took"),
      column("clock", "Clock", "What was measured"),
  };
  table.columns.back().numeric = false;
  for (const NullRow& row : rows) {
    const auto peer = doBench.find(row.elements);
    const DoBenchRow theirs = peer == doBench.end() ? DoBenchRow{unknown, unknown} : peer->second;
    Cell clock;
    clock.text = row.clock;
    table.rows.push_back({
        numberCell(formatCount(row.elements), static_cast<double>(row.elements)),
        numberCell(formatSeconds(row.seconds), row.seconds),
        numberCell(formatPercent(row.worst), row.worst),
        numberCell(fmt::format("{} of {}", row.covered, row.repeats), row.covered),
        numberCell(formatSeconds(row.caseSeconds), row.caseSeconds > 0 ? row.caseSeconds : unknown),
        numberCell(formatChange(row.clocks), row.clocks),
        numberCell(formatPercent(theirs.worst), theirs.worst),
        numberCell(formatSeconds(theirs.seconds), theirs.seconds),
        clock,
    });
    table.rowIds.push_back(std::to_string(row.elements));
  }
  return table;
}

}  // namespace wb
