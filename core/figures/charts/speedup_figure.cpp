// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/figures.h"
#include "core/figures/groups.h"
#include "core/figures/why_empty.h"
#include "core/model/pace.h"

namespace wb {

namespace {

/// So many bars are still looked at one by one; of more cases those with the lowest speedup are shown.
constexpr std::size_t mostCaseBars = 200;

constexpr std::string_view axisTitle = "Speedup over the reference, log scale";

/// Where bars begin; what nobody knows has none.
constexpr double neither = 1;

bool drawable(const Speedup& speedup) {
  return std::isfinite(speedup.ratio) && speedup.ratio > 0;
}

Bar barOf(const Speedup& speedup, std::string label, Tone tone, std::string rowId) {
  Bar bar;
  bar.label = std::move(label);
  bar.text = speedupText(speedup);
  if (hasInterval(speedup)) {
    bar.value = speedup.ratio;
    bar.low = speedup.low;
    bar.high = speedup.high;
    bar.tone = tone;
  } else {
    bar.value = neither;
    bar.tone = Tone::muted;
  }
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
    const std::optional<SpeedupSummary> summary = group.timed.summary();
    if (!summary) continue;
    const Speedup whole{summary->geomean, summary->low, summary->high, Pace::undecided};
    if (!drawable(whole)) continue;
    bars.push_back(barOf(whole, kernelPrefix(report, group.kernel) + operatorLabel(group.op),
                         toneOf(*summary), group.rowId()));
  }
  return bars;
}

/// A second "relu 5×5 f32" becomes "relu 5×5 f32 (2)", so that bars can be told apart.
void makeUnique(std::vector<Bar>& bars) {
  std::map<std::string, int> seen;
  for (Bar& bar : bars)
    if (const int count = ++seen[bar.label]; count > 1) bar.label += fmt::format(" ({})", count);
}

}  // namespace

BarChart speedupChart(const Report& report) {
  BarChart chart;
  chart.id = "speedup";
  chart.title = "Speedup by case";
  chart.axis = axisTitle;
  chart.base = neither;
  chart.bars = caseBars(report);
  makeUnique(chart.bars);
  if (const std::size_t all = chart.bars.size(); all > mostCaseBars) {
    std::stable_sort(chart.bars.begin(), chart.bars.end(), [](const Bar& a, const Bar& b) {
      const bool isKnown = a.low > 0, isOtherKnown = b.low > 0;
      return isKnown != isOtherKnown ? isKnown : a.value < b.value;
    });
    chart.bars.resize(mostCaseBars);
    chart.title += fmt::format(" · the {} lowest of {}", mostCaseBars, formatCount(static_cast<int>(all)));
  }
  if (chart.bars.empty()) chart.empty = whyNoTimes(report);
  return chart;
}

BarChart operatorSpeedupChart(const Report& report) {
  BarChart chart;
  chart.id = "speedup-operators";
  chart.title = "Speedup by operator";
  chart.axis = axisTitle;
  chart.base = neither;
  chart.bars = operatorBars(report);
  makeUnique(chart.bars);
  const std::size_t cases = caseBars(report).size();
  const bool repeatsCases = chart.bars.size() == cases;
  if (cases == 0)
    chart.empty = whyNoTimes(report);
  else if (chart.bars.empty())
    chart.empty = "The times of a kernel that crashed or hung count in no summary; they stand under By case";
  else if (repeatsCases)
    chart.empty = "Every operator has one case; its bar stands under By case";
  if (repeatsCases) chart.bars.clear();
  return chart;
}

}  // namespace wb
