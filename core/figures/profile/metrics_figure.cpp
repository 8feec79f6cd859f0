// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/profile/profile_facts.h"
#include "core/model/metrics/metric_catalogue.h"
#include "core/model/metrics/metric_formulas.h"

namespace wb {

namespace {

/// Launches of a call that are told one by one; beyond, the rest is counted.
constexpr std::size_t mostLaunches = 8;
/// Differences below these are nothing to act on: they get no colour.
constexpr double relativeMatter = 0.05, pointsMatter = 2;

/// A metric of the catalogue, or one that it does not know.
struct Shown {
  std::string name;
  const MetricInfo* info = nullptr;
  [[nodiscard]] std::string_view unit() const { return info == nullptr ? std::string_view() : info->unit; }
  [[nodiscard]] std::string title() const { return info == nullptr ? name : info->title; }
  [[nodiscard]] std::string detail() const {
    return info == nullptr ? name : fmt::format("{}\n{}", info->meaning, name);
  }
};

Cell valueCell(const Shown& metric, std::optional<double> value, std::string detail = {}) {
  if (!value) return {};
  Cell cell = textCell(metricText(*value, metric.unit()), Tone::neutral, std::move(detail));
  cell.sort = *value;
  if (metric.unit() == "%" && std::isfinite(*value)) cell.bar = std::clamp(*value / 100, 0.0, 1.0);
  return cell;
}

Cell differenceCell(const Shown& metric, std::optional<double> candidate, std::optional<double> reference) {
  if (!candidate || !reference || !std::isfinite(*candidate) || !std::isfinite(*reference)) return {};
  const double by = *candidate - *reference;
  const bool points = metric.unit() == "%";
  Cell cell;
  bool matters = false;
  if (points) {
    // Percentages differ by points: "+10 %" would leave open of what.
    cell.text = std::abs(by) < 0.05 ? "0 pt" : fmt::format("{}{:.1f} pt", by > 0 ? "+" : "−", std::abs(by));
    cell.sort = by;
    matters = std::abs(by) >= pointsMatter;
  } else if (*reference != 0) {
    cell.sort = by / std::abs(*reference);
    cell.text = formatChange(cell.sort);
    matters = std::abs(cell.sort) >= relativeMatter;
  } else {
    cell.text = by == 0 ? "0 %" : "from 0";
    cell.sort = by == 0 ? 0 : std::copysign(1e9, by);
    matters = by != 0;
  }
  const Better better = metric.info == nullptr ? Better::neither : metric.info->better;
  if (!matters)
    cell.tone = Tone::muted;
  else if (better != Better::neither)
    cell.tone = (by > 0) == (better == Better::higher) ? Tone::good : Tone::bad;
  return cell;
}

/// What a side's metrics are over a whole call.
class OfCall {
 public:
  struct Value {
    std::optional<double> value;
    std::string detail;
  };

  explicit OfCall(const SideProfile& side) : side_(side), longest_(longestLaunch(side)) {
    if (side.launches.size() > 1) sums_ = metricsOfCall(side.launches);
  }

  [[nodiscard]] Value operator()(const std::string& name) const {
    if (longest_ == nullptr) return {};
    if (side_.launches.size() == 1) return {metricOf(*longest_, name), {}};
    const auto at = std::find_if(sums_.begin(), sums_.end(),
                                 [&](const MetricValue& metric) { return metric.name == name; });
    if (at != sums_.end() && !std::isnan(at->value))
      return {at->value, fmt::format("over all {} launches", side_.launches.size())};
    return {metricOf(*longest_, name), "of the longest launch, " + longest_->kernel};
  }

 private:
  const SideProfile& side_;
  const Launch* longest_;
  std::vector<MetricValue> sums_;
};

class Metrics {
 public:
  /// `title` of the case, in a column of its own where there are several.
  Metrics(Table& table, const ProfiledCase& one, std::optional<std::string> title)
      : table_(table),
        one_(one),
        title_(std::move(title)),
        candidate_(one.profile->candidate),
        reference_(one.profile->reference) {}

  void all() {
    std::set<std::string> told;
    for (const MetricSection& section : metricSections())
      for (const std::string& name : section.metrics)
        if (told.insert(name).second) add(section, {name, metricInfo(name)});
    const MetricSection others{"other", "Other", "", {}};
    for (const Side side : {Side::candidate, Side::reference})
      for (const Launch& launch : one_.side(side).launches)
        for (const MetricValue& metric : launch.metrics)
          if (isOther(metric.name) && told.insert(metric.name).second) add(others, {metric.name, nullptr});
    addMissing();
  }

 private:
  static bool isOther(const std::string& name) { return metricInfo(name) == nullptr; }

  void row(const std::string& id, std::vector<Cell> cells) {
    if (title_) cells.insert(cells.begin(), textCell(*title_));
    table_.rows.push_back(std::move(cells));
    table_.rowIds.push_back(one_.rowId() + "/" + id);
  }

  void add(const MetricSection& section, const Shown& metric) {
    const SideProfile &candidate = one_.profile->candidate, &reference = one_.profile->reference;
    const OfCall::Value ours = candidate_(metric.name), theirs = reference_(metric.name);
    if (!ours.value && !theirs.value) return;
    row(metric.name,
        {textCell(section.title, Tone::muted, section.meaning),
         textCell(metric.title(), Tone::neutral, metric.detail()), valueCell(metric, ours.value, ours.detail),
         valueCell(metric, theirs.value, theirs.detail), differenceCell(metric, ours.value, theirs.value)});
    const std::size_t launches = std::max(candidate.launches.size(), reference.launches.size());
    if (launches < 2) return;
    for (std::size_t i = 0; i < std::min(launches, mostLaunches); ++i) addLaunch(section, metric, i);
    if (launches > mostLaunches)
      row(metric.name + "/more",
          {textCell(section.title, Tone::muted),
           textCell(fmt::format("  … {} more launches", launches - mostLaunches), Tone::muted), Cell{},
           Cell{}, Cell{}});
  }

  /// The i-th launch of each side; they need not be of the same kernel.
  void addLaunch(const MetricSection& section, const Shown& metric, std::size_t i) {
    std::string names;
    const auto cell = [&](const SideProfile& side) -> Cell {
      if (i >= side.launches.size()) return {};
      const std::string name = shortName(side.launches[i]);
      if (names.find(name) == std::string::npos) names += (names.empty() ? "" : " | ") + name;
      return valueCell(metric, metricOf(side.launches[i], metric.name), side.launches[i].kernel);
    };
    Cell ours = cell(one_.profile->candidate), theirs = cell(one_.profile->reference);
    if (ours.text.empty() && theirs.text.empty()) return;
    row(fmt::format("{}/{}", metric.name, i),
        {textCell(section.title, Tone::muted),
         textCell(fmt::format("  {}. {}", i + 1, names), Tone::muted, metric.detail()), std::move(ours),
         std::move(theirs), Cell{}});
  }

  void addMissing() {
    std::set<std::string> missing(one_.profile->candidate.missing.begin(),
                                  one_.profile->candidate.missing.end());
    missing.insert(one_.profile->reference.missing.begin(), one_.profile->reference.missing.end());
    for (const std::string& name : missing) {
      const Shown metric{name, metricInfo(name)};
      row("missing/" + name, {textCell("Missing", Tone::muted, "Metrics that this GPU does not have"),
                              textCell(metric.title(), Tone::muted, metric.detail()),
                              textCell("not on this GPU", Tone::muted), Cell{}, Cell{}});
    }
  }

  Table& table_;
  const ProfiledCase& one_;
  std::optional<std::string> title_;
  OfCall candidate_, reference_;
};

}  // namespace

Table metricsTable(const Report& report, OneCase only) {
  Table table;
  table.id = "metrics";
  table.columns = {{"section", "Section", false, "Group of the metric", 2},
                   {"metric", "Metric", false, "What was counted; the tooltip says what it means"},
                   {"candidate", "Candidate", true, "Of one call of the candidate"},
                   {"reference", "Reference", true, "Of one call of the reference, over the same case"},
                   {"difference", "Difference", true,
                    "Candidate against reference: relative, or points where both are percentages", 1}};
  const std::vector<ProfiledCase> cases = casesWithData(report, only);
  addCaseColumn(table, cases.size() > 1);
  table.title = countedTitle("Metrics", cases);
  for (const ProfiledCase& one : cases) {
    std::optional<std::string> title;
    if (cases.size() > 1) title = countedCaseTitle(report, one, cases);
    Metrics(table, one, std::move(title)).all();
  }
  if (table.rows.empty()) table.empty = whyEmpty(report, Need::counters, only);
  return table;
}

}  // namespace wb
