// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/charts/chart_figures.h"
#include "core/figures/charts/scale.h"
#include "core/figures/why_empty.h"
#include "core/model/operators/dtype.h"
#include "core/model/pace.h"

namespace wb {

namespace {

/// More lines than these cannot be told apart.
constexpr std::size_t mostSeries = 8;
/// Of more cases of one series every so many has a point; the line goes through all of them.
constexpr std::size_t mostPoints = 150;
/// Fewer sizes than these are no curve.
constexpr std::size_t fewestSizes = 3;

struct SizedCase {
  double bytes = 0;
  const CaseRow* row = nullptr;
  std::string rowId;
};

struct Series {
  std::string label;
  std::vector<SizedCase> cases;
  [[nodiscard]] std::size_t sizes() const {
    std::set<double> distinct;
    for (const SizedCase& one : cases) distinct.insert(one.bytes);
    return distinct.size();
  }
};

/// The elements of a shape "5, 5".
double elementsOf(std::string_view shape) {
  double elements = 1;
  while (!shape.empty()) {
    const std::size_t comma = shape.find(',');
    elements *= static_cast<double>(std::strtoll(std::string(shape.substr(0, comma)).c_str(), nullptr, 10));
    if (comma == std::string_view::npos) break;
    shape.remove_prefix(comma + 1);
  }
  return elements;
}

/// The timed cases by kernel, operator and type, in the order in which they are first seen.
std::vector<Series> seriesOf(const Report& report) {
  std::vector<Series> all;
  std::map<std::tuple<std::size_t, std::string, std::string>, std::size_t> at;
  for (std::size_t k = 0; k < report.kernels.size(); ++k)
    forEachCase(*report.kernels[k], [&](std::size_t index, const CaseRow& row) {
      if (!row.timing || !hasInterval(row.timing->speedup)) return;
      const auto bytes = static_cast<double>(tensorBytesOf(row.definition.args));
      if (bytes <= 0) return;
      const auto [found, isNew] =
          at.try_emplace(std::tuple{k, row.definition.op, row.definition.dtype}, all.size());
      if (isNew) {
        std::string label = operatorLabel(row.definition.op) + " " + row.definition.dtype;
        if (report.kernels.size() > 1) label = kernelLabel(report, k) + ": " + label;
        all.push_back({std::move(label), {}});
      }
      all[found->second].cases.push_back({bytes, &row, fmt::format("{}/{}", k, index)});
    });
  std::erase_if(all, [](const Series& one) { return one.sizes() < fewestSizes; });
  // Those with the most sizes tell the most.
  std::stable_sort(all.begin(), all.end(),
                   [](const Series& a, const Series& b) { return a.sizes() > b.sizes(); });
  if (all.size() > mostSeries) all.resize(mostSeries);
  for (Series& one : all)
    std::stable_sort(one.cases.begin(), one.cases.end(),
                     [](const SizedCase& a, const SizedCase& b) { return a.bytes < b.bytes; });
  return all;
}

ChartPoint pointOf(const SizedCase& one, int series) {
  const CaseTiming& timing = *one.row->timing;
  ChartPoint point{.x = one.bytes, .y = timing.speedup.ratio, .label = {}, .detail = {}};
  point.low = timing.speedup.low;
  point.high = timing.speedup.high;
  point.detail =
      fmt::format("{}\n{} of tensors\n{}, 95 % {}\ncandidate {}, reference {}",
                  caseLabel(one.row->definition), formatBytes(one.bytes), formatRatio(timing.speedup.ratio),
                  intervalText(timing.speedup.low, timing.speedup.high), formatSeconds(timing.candidate),
                  formatSeconds(timing.reference));
  point.series = series;
  point.rowId = one.rowId;
  return point;
}

/// The line of a series goes through the geometric mean of the cases of each size.
ChartLine lineOf(const Series& one, int series) {
  std::map<double, std::pair<double, int>> sums;
  for (const SizedCase& sized : one.cases) {
    auto& [sum, count] = sums[sized.bytes];
    sum += std::log(sized.row->timing->speedup.ratio);
    ++count;
  }
  ChartLine line{.label = one.label, .points = {}, .dashed = false, .series = series};
  for (const auto& [bytes, mean] : sums) line.points.emplace_back(bytes, std::exp(mean.first / mean.second));
  return line;
}

}  // namespace

std::int64_t tensorBytesOf(std::string_view args) {
  double bytes = 0;
  for (std::size_t at = args.find("T(["); at != std::string_view::npos; at = args.find("T([", at + 3)) {
    const std::size_t end = args.find(']', at);
    if (end == std::string_view::npos) return 0;
    const std::size_t from = args.find_first_not_of(", ", end + 1);
    const std::size_t to = args.find_first_of(",)", from);
    if (from == std::string_view::npos || to == std::string_view::npos) return 0;
    const DType* dtype = findDType(args.substr(from, to - from));
    if (dtype == nullptr) return 0;
    bytes += elementsOf(args.substr(at + 3, end - at - 3)) * static_cast<double>(dtype->bytes);
  }
  constexpr auto most = static_cast<double>(std::numeric_limits<std::int64_t>::max());
  return bytes >= most ? std::numeric_limits<std::int64_t>::max() : static_cast<std::int64_t>(bytes);
}

PlaneChart sizeChart(const Report& report) {
  PlaneChart chart;
  chart.id = "speedup-size";
  chart.title = "Speedup against size";
  chart.x = {"Bytes of the call's tensors", "B"};
  chart.y = {"Speedup over the reference", "×"};
  int series = 0;
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const Series& one : seriesOf(report)) {
    chart.lines.push_back(lineOf(one, series));
    const std::size_t every = (one.cases.size() + mostPoints - 1) / mostPoints;
    for (std::size_t i = 0; i < one.cases.size(); i += every)
      chart.points.push_back(pointOf(one.cases[i], series));
    low = std::min(low, one.cases.front().bytes);
    high = std::max(high, one.cases.back().bytes);
    ++series;
  }
  if (chart.points.empty()) {
    chart.empty = report.stages.has(Stage::time)
                      ? "A curve needs three sizes of one operator and type. The suite sweep has them."
                      : whyNoTimes(report);
    return chart;
  }
  chart.lines.push_back(
      {.label = "as fast as the reference", .points = {{low, 1}, {high, 1}}, .dashed = true});
  if (const auto cache = static_cast<double>(report.target.l2Bytes); cache > low && cache < high) {
    const Scale scale = scalesOf(chart).second;
    chart.lines.push_back({.label = "L2 " + formatBytes(cache),
                           .points = {{cache, scale.low}, {cache, scale.high}},
                           .dashed = true});
  }
  return chart;
}

}  // namespace wb
