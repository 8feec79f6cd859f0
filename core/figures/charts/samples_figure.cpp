// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/charts/chart_figures.h"
#include "core/figures/why_empty.h"
#include "core/model/pace.h"

namespace wb {

namespace {

/// Where the histogram beside the samples begins and how wide it is, as shares of their width.
constexpr double histogramFrom = 1.05, histogramWidth = 0.22;
constexpr int bins = 60;
/// So many samples of a side can be told apart; of more blocks every so many is drawn.
constexpr std::size_t mostBlocks = 1000;

const CaseTiming* timingOf(const Report& report, CaseKey key) {
  if (key.kernel >= report.kernels.size()) return nullptr;
  const KernelReport& kernel = *report.kernels[key.kernel];
  if (key.index >= kernel.cases.size() || !kernel.cases[key.index].timing) return nullptr;
  const CaseTiming& timing = *kernel.cases[key.index].timing;
  return timing.blocks.empty() ? nullptr : &timing;
}

/// The case that is known worst, since one looks at samples to see why.
OneCase mostDoubtful(const Report& report) {
  OneCase worst;
  double widest = -1;
  for (std::size_t k = 0; k < report.kernels.size(); ++k)
    forEachCase(*report.kernels[k], [&](std::size_t index, const CaseRow& row) {
      if (!row.timing || row.timing->blocks.empty()) return;
      const Speedup& speedup = row.timing->speedup;
      const double width = hasInterval(speedup) ? std::log(speedup.high / speedup.low) : 1e9;
      if (width <= widest) return;
      widest = width;
      worst = CaseKey{k, index};
    });
  return worst;
}

std::vector<double> samplesOf(const CaseTiming& timing, bool candidate) {
  std::vector<double> seconds;
  for (const Block& block : timing.blocks)
    for (const double one : candidate ? block.candidate : block.reference) seconds.push_back(one);
  return seconds;
}

double quantile(std::vector<double> values, double share) {
  const auto at =
      values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// The seconds that are drawn: nearly all samples, and no outlier that would flatten the others.
std::pair<double, double> shownSeconds(const std::array<std::vector<double>, 2>& sides) {
  double low = INFINITY, high = 0, least = INFINITY, most = 0;
  for (const std::vector<double>& side : sides) {
    const double quarter = quantile(side, 0.25), threeQuarters = quantile(side, 0.75);
    const double fence = 3 * std::max(threeQuarters - quarter, 0.01 * threeQuarters);
    low = std::min(low, quarter - fence);
    high = std::max(high, threeQuarters + fence);
    least = std::min(least, *std::min_element(side.begin(), side.end()));
    most = std::max(most, *std::max_element(side.begin(), side.end()));
  }
  return {std::max({low, least, 0.0}), std::min(high, most)};
}

/// How many samples fell where, as a line that stands to the right of the samples.
ChartLine histogram(const std::vector<double>& seconds, std::pair<double, double> shown, double blocks,
                    int series) {
  std::array<double, bins> counts{};
  for (const double one : seconds) {
    const double share = (one - shown.first) / (shown.second - shown.first);
    if (share < 0 || share > 1) continue;
    counts[static_cast<std::size_t>(std::min(bins - 1.0, share * bins))] += 1;
  }
  const double most = *std::max_element(counts.begin(), counts.end());
  ChartLine line{.label = {}, .points = {}, .dashed = false, .series = series};
  if (most <= 0) return line;
  const double foot = blocks * histogramFrom, step = (shown.second - shown.first) / bins;
  const auto isFilled = [](double count) { return count > 0; };
  const auto first = std::find_if(counts.begin(), counts.end(), isFilled) - counts.begin();
  const auto last = counts.rend() - std::find_if(counts.rbegin(), counts.rend(), isFilled);
  const auto edge = [&](std::ptrdiff_t bin) { return shown.first + static_cast<double>(bin) * step; };
  line.points.emplace_back(foot, edge(first));
  for (std::ptrdiff_t bin = first; bin < last; ++bin) {
    const double out = foot + blocks * histogramWidth * counts[static_cast<std::size_t>(bin)] / most;
    line.points.emplace_back(out, edge(bin));
    line.points.emplace_back(out, edge(bin + 1));
  }
  line.points.emplace_back(foot, edge(last));
  return line;
}

}  // namespace

PlaneChart samplesChart(const Report& report, OneCase only) {
  PlaneChart chart;
  chart.id = "samples";
  chart.title = "Samples";
  chart.x = {"Block, in the order of measuring; to the right how often", "", false};
  chart.y = {"Time per call", "s", false};
  const OneCase shown = only ? only : mostDoubtful(report);
  const CaseTiming* timing = shown ? timingOf(report, *shown) : nullptr;
  if (timing == nullptr) {
    chart.empty = only && report.stages.has(Stage::time)
                      ? "This case was not timed, so it has no samples. Choose another case."
                      : whyNoTimes(report);
    return chart;
  }
  const KernelReport& kernel = *report.kernels[shown->kernel];
  chart.title = fmt::format("Samples of {} · {}", caseLabel(kernel.cases[shown->index].definition),
                            speedupText(timing->speedup));
  if (!only) chart.title += " · the widest interval of the run";
  const auto blocks = static_cast<double>(timing->blocks.size());
  const std::array sides = {samplesOf(*timing, true), samplesOf(*timing, false)};
  std::pair<double, double> range = shownSeconds(sides);
  if (!(range.second > range.first)) range = {range.first * 0.99, range.second * 1.01 + 1e-12};
  const std::size_t every = (timing->blocks.size() + mostBlocks - 1) / mostBlocks;
  std::array<int, 2> beyond{};
  for (int side = 0; side < 2; ++side) {
    const std::vector<double>& seconds = sides[static_cast<std::size_t>(side)];
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      const bool outside = seconds[i] < range.first || seconds[i] > range.second;
      if (outside) ++beyond[static_cast<std::size_t>(side)];
      if (!outside && (i / 2) % every != 0) continue;
      const double inside = std::clamp(seconds[i], range.first, range.second);
      ChartPoint point{.x = static_cast<double>(i / 2) + (i % 2 == 0 ? 0.85 : 1.15), .y = inside};
      point.detail = fmt::format("{}, block {}\n{}", side == 0 ? "candidate" : "reference", i / 2 + 1,
                                 formatSeconds(seconds[i]));
      if (outside) point.detail += "\nbeyond what is drawn";
      point.tone = outside ? Tone::warning : side == 0 ? Tone::good : Tone::muted;
      point.low = point.high = inside;
      point.series = outside ? -1 : side;
      point.rowId = fmt::format("{}/{}", shown->kernel, shown->index);
      chart.points.push_back(std::move(point));
    }
  }
  for (int side = 0; side < 2; ++side) {
    const std::vector<double>& seconds = sides[static_cast<std::size_t>(side)];
    const double middle = median(seconds);
    chart.lines.push_back(
        {.label = fmt::format("{} {}", side == 0 ? "candidate" : "reference", formatSeconds(middle)),
         .points = {{0.5, middle}, {blocks * (histogramFrom + histogramWidth), middle}},
         .dashed = true,
         .series = side});
    chart.lines.push_back(histogram(seconds, range, blocks, side));
  }
  if (beyond[0] + beyond[1] > 0)
    chart.title += fmt::format(" · {} beyond the scale", plural(beyond[0] + beyond[1], "sample", "samples"));
  return chart;
}

}  // namespace wb
