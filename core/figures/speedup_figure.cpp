// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/figures.h"
#include "core/figures/groups.h"
#include "core/model/pace.h"

namespace wb {

namespace {

/// Up to this many cases one bar per case can be read; with more there is one per operator.
constexpr int mostCaseBars = 24;

bool drawable(const Speedup& speedup) {
  return std::isfinite(speedup.ratio) && speedup.ratio > 0;
}

/// An interval whose ends differ by more than this factor would leave no room for the bars.
constexpr double widestDrawn = 1000;

bool hasDrawableInterval(const Speedup& speedup) {
  return hasInterval(speedup) && speedup.high / speedup.low <= widestDrawn;
}

Bar barOf(const Speedup& speedup, std::string label, Tone tone, std::string rowId) {
  Bar bar;
  bar.label = std::move(label);
  bar.value = speedup.ratio;
  bar.text = formatRatio(speedup.ratio);
  if (hasDrawableInterval(speedup)) {
    bar.low = speedup.low;
    bar.high = speedup.high;
  } else {
    bar.text += ", too noisy";
  }
  bar.tone = tone;
  bar.rowId = std::move(rowId);
  return bar;
}

std::string kernelPrefix(const Report& report, std::size_t kernel) {
  return report.kernels.size() > 1 ? kernelLabel(report, kernel) + ": " : std::string();
}

std::vector<Bar> caseBars(const Report& report) {
  std::vector<Bar> bars;
  for (std::size_t k = 0; k < report.kernels.size(); ++k)
    forEachCase(*report.kernels[k], [&](std::size_t index, const CaseRow& row) {
      if (!row.timing || !drawable(row.timing->speedup)) return;
      bars.push_back(barOf(row.timing->speedup, kernelPrefix(report, k) + caseLabel(row.definition),
                           toneOf(row.timing->speedup.pace), fmt::format("{}/{}", k, index)));
    });
  return bars;
}

std::vector<Bar> operatorBars(const Report& report) {
  std::vector<Bar> bars;
  for (const OperatorGroup& group : operatorGroups(report)) {
    if (group.speedups.empty()) continue;
    const SpeedupSummary summary = summarize(group.speedups);
    const Speedup whole{summary.geomean, summary.low, summary.high, Pace::undecided};
    if (!drawable(whole)) continue;
    bars.push_back(barOf(whole, kernelPrefix(report, group.kernel) + operatorLabel(group.op), toneOf(summary),
                         group.rowId()));
  }
  return bars;
}

/// Category axes drop equal labels, so a second "relu 5×5 f32" becomes "relu 5×5 f32 (2)".
void makeUnique(std::vector<Bar>& bars) {
  std::map<std::string, int> seen;
  for (Bar& bar : bars)
    if (const int count = ++seen[bar.label]; count > 1) bar.label += fmt::format(" ({})", count);
}

std::string emptyText(const Report& report) {
  if (!report.stages.has(Stage::time)) return "Timing was not asked for";
  for (const auto& kernel : report.kernels)
    if (kernel->compiled && !kernel->compiled->note.empty()) return kernel->compiled->note;
  if (report.outcome == Outcome::running && !report.failure) return "Bars appear as cases are timed";
  if (std::string why = whyNotTimed(report); !why.empty()) return why;
  return counts(report).passed == 0 ? "No case passed, so none was timed" : "No case was timed";
}

}  // namespace

BarChart speedupChart(const Report& report) {
  BarChart chart;
  chart.id = "speedup";
  chart.axis = "Speedup over the reference, log scale";
  // The choice depends on what will be timed, so that the chart stays the same while it fills.
  const Counts all = counts(report);
  const bool byCase = std::max(all.timed, all.toTime) <= mostCaseBars;
  chart.title = byCase ? "Speedup by case" : "Speedup by operator";
  chart.bars = byCase ? caseBars(report) : operatorBars(report);
  makeUnique(chart.bars);
  if (chart.bars.empty()) chart.empty = emptyText(report);
  return chart;
}

}  // namespace wb
