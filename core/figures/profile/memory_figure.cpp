// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/profile/profile_facts.h"
#include "core/model/metrics/metric_formulas.h"

namespace wb {

namespace {

constexpr double bytesOfSector = 32;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// What was counted of one call of a side.
class Counted {
 public:
  explicit Counted(const SideProfile& side)
      : sums_(metricsOfCall(side.launches)), longest_(longestLaunch(side)) {}
  /// A metric of the whole call; of one that does not add up, that of its longest launch.
  [[nodiscard]] std::optional<double> of(std::string_view name) const {
    for (const MetricValue& metric : sums_)
      if (metric.name == name && !std::isnan(metric.value)) return metric.value;
    return longest_ == nullptr ? std::nullopt : metricOf(*longest_, name);
  }

 private:
  std::vector<MetricValue> sums_;
  const Launch* longest_;
};

/// A text for both sides: the candidate's stands in the picture, the reference's in what is said on top.
struct Told {
  std::string text, detail;
  bool isKnown = false;
};

std::string bytesText(double value) {
  return formatBytes(value);
}
std::string sectorsText(double value) {
  return formatBytes(value * bytesOfSector);
}
std::string countText(double value) {
  return formatScaled(value, "");
}

/// The chart while it is put together.
class MemoryPicture {
 public:
  MemoryPicture(FlowChart& chart, const ProfiledCase& one)
      : chart_(chart), candidate_(one.profile->candidate) {
    others_.emplace_back("reference", one.profile->reference);
  }
  /// What is said on top of each part has this side's numbers, too.
  void compareWith(const std::string& name, const SideProfile& side) { others_.emplace_back(name, side); }

  std::size_t node(FlowNode node) {
    chart_.nodes.push_back(std::move(node));
    return chart_.nodes.size() - 1;
  }
  /// A box with a rate of the catalogue in percent.
  std::size_t rated(FlowNode node, std::string_view what, std::string_view metric, std::string_view section) {
    const std::optional<double> value = candidate_.of(metric);
    node.text = value ? fmt::format("{} {}", what, formatPercent(*value / 100))
                      : fmt::format("{} not collected", what);
    if (!value) miss(section);
    node.share = value ? std::clamp(*value / 100, 0.0, 1.0) : unknown;
    for (const auto& [name, counted] : others_)
      if (const auto other = counted.of(metric))
        node.detail += fmt::format("{}{}: {} {}", node.detail.empty() ? "" : "\n", name, what,
                                   formatPercent(*other / 100));
    return this->node(std::move(node));
  }
  void link(std::size_t from, std::size_t to, std::string_view metric, std::string_view words,
            std::string (*text)(double), std::string_view section, double share = unknown) {
    const std::optional<double> value = candidate_.of(metric);
    FlowLink link{.from = from, .to = to};
    if (value)
      link.text = fmt::format("{} {}", text(*value), words);
    else
      miss(section);
    link.share = value ? (*value > 0 ? share : 0) : unknown;
    link.detail = fmt::format("{} → {}, {}", chart_.nodes[from].title, chart_.nodes[to].title, words);
    link.detail += "\ncandidate: " + (value ? text(*value) : std::string("not collected"));
    for (const auto& [name, counted] : others_)
      if (const auto other = counted.of(metric)) link.detail += fmt::format("\n{}: {}", name, text(*other));
    chart_.links.push_back(std::move(link));
  }
  /// A share of the peak that the catalogue gives in percent.
  [[nodiscard]] double peak(std::string_view metric) const {
    const std::optional<double> value = candidate_.of(metric);
    return value ? std::clamp(*value / 100, 0.0, 1.0) : unknown;
  }
  void tellMissing() {
    if (missing_.empty()) return;
    chart_.note = fmt::format("Not collected by the sections that were asked for; {} {} it",
                              fmt::join(missing_, " and "), missing_.size() == 1 ? "has" : "have");
  }

 private:
  void miss(std::string_view section) {
    const std::string named = fmt::format("section {}", section);
    if (std::find(missing_.begin(), missing_.end(), named) == missing_.end()) missing_.push_back(named);
  }

  FlowChart& chart_;
  Counted candidate_;
  std::vector<std::pair<std::string, Counted>> others_;
  std::vector<std::string> missing_;
};

void draw(MemoryPicture& picture) {
  const auto kernel = picture.node({.title = "Kernel", .column = 0, .row = 0, .rows = 3});
  const auto global = picture.node({.title = "Global", .column = 1, .row = 0});
  const auto local = picture.node({.title = "Local", .column = 1, .row = 1});
  const auto shared = picture.node({.title = "Shared", .column = 1, .row = 2});
  const auto l1 = picture.rated({.title = "L1 cache", .column = 2, .row = 0, .rows = 2}, "hit rate",
                                "l1tex__t_sector_hit_rate.pct", "memory");
  const auto banks = picture.node({.title = "Shared memory", .column = 2, .row = 2});
  const auto l2 = picture.rated({.title = "L2 cache", .column = 3, .row = 0, .rows = 2}, "hit rate",
                                "lts__t_sector_hit_rate.pct", "memory");
  const auto dram = picture.rated({.title = "DRAM", .column = 4, .row = 0, .rows = 2}, "busy",
                                  "dram__throughput.avg.pct_of_peak_sustained_elapsed", "memory");
  const double l1Busy = picture.peak("l1tex__throughput.avg.pct_of_peak_sustained_active");
  const double l2Busy = picture.peak("lts__throughput.avg.pct_of_peak_sustained_elapsed");
  const double dramBusy = picture.peak("dram__throughput.avg.pct_of_peak_sustained_elapsed");
  picture.link(global, kernel, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "loads", countText,
               "access");
  picture.link(kernel, global, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "stores", countText,
               "access");
  picture.link(kernel, local, "smsp__sass_inst_executed_op_local.sum", "instructions", countText, "memory");
  picture.link(shared, kernel, "smsp__sass_inst_executed_op_shared_ld.sum", "loads", countText, "access");
  picture.link(kernel, shared, "smsp__sass_inst_executed_op_shared_st.sum", "stores", countText, "access");
  picture.link(l1, global, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "loaded", sectorsText, "access",
               l1Busy);
  picture.link(global, l1, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "stored", sectorsText, "access",
               l1Busy);
  picture.link(shared, banks, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "wavefronts", countText,
               "access");
  picture.link(l2, l1, "lts__t_sectors_op_read.sum", "read", sectorsText, "memory", l2Busy);
  picture.link(l1, l2, "lts__t_sectors_op_write.sum", "written", sectorsText, "memory", l2Busy);
  picture.link(dram, l2, "dram__bytes_read.sum", "read", bytesText, "memory", dramBusy);
  picture.link(l2, dram, "dram__bytes_write.sum", "written", bytesText, "memory", dramBusy);
  picture.tellMissing();
}

}  // namespace

FlowChart memoryChart(const Report& report, OneCase only) {
  return memoryAgainst(report, only, {});
}

FlowChart memoryAgainst(const Report& report, OneCase only, std::span<const Earlier> earlier) {
  FlowChart chart;
  chart.id = "memory";
  const std::vector<ProfiledCase> cases = casesWithData(report, only);
  chart.title = countedTitle("Memory, what the candidate moved", cases);
  for (const ProfiledCase& one : cases) {
    const Launch* launch = longestLaunch(one.profile->candidate);
    if (launch == nullptr || launch->metrics.empty()) continue;
    chart.title += " · " + caseTitle(report, one.at);
    MemoryPicture picture(chart, one);
    for (const Earlier& run : earlier)
      if (const OneCase then = sameCase(report, one.at, *run.report))
        for (const ProfiledCase& before : casesWithData(*run.report, then))
          picture.compareWith(run.name, before.profile->candidate);
    draw(picture);
    break;
  }
  if (chart.nodes.empty()) chart.empty = whyEmpty(report, Need::counters, only);
  return chart;
}

}  // namespace wb
