// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/quantity.h"
#include "core/figures/advice/advice.h"
#include "core/figures/cells.h"
#include "core/figures/columns.h"
#include "core/figures/profile/profile_facts.h"
#include "core/model/metrics/metric_catalogue.h"
#include "core/model/metrics/metric_formulas.h"

namespace wb {

namespace {

/// How many launches of a call are told one by one; the others are counted.
constexpr std::size_t mostLaunches = 8;
/// Differences below these do not matter and get no colour.
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

/// A side's value of a metric, with what it is of.
struct Value {
  std::optional<double> value;
  std::string detail;
};

/// What a row shows: a metric of a whole call or of one launch of it, or that there is none.
struct MetricLine {
  std::string caseTitle;
  std::string_view section, sectionMeaning;
  /// This is null in a line that only says something.
  const Shown* metric = nullptr;
  Cell title = {};
  Value candidate = {}, reference = {};
  /// What stands in place of the candidate's value.
  std::string instead = {};
  /// Whether the two values can be compared. Launches of both sides need not be of the same kernel, and then
  /// their difference says nothing.
  bool comparable = false;
};

Cell valueCell(const Shown& metric, const Value& of) {
  if (!of.value) return {};
  Cell cell = textCell(metricText(*of.value, metric.unit()), Tone::neutral, of.detail);
  cell.sort = *of.value;
  if (metric.unit() == "%" && std::isfinite(*of.value)) cell.bar = std::clamp(*of.value / 100, 0.0, 1.0);
  return cell;
}

/// Whether more of a metric is bad in itself: time, bytes and spills. All other figures only explain those,
/// and a kernel that is slow may have many good ones.
bool isCost(const Shown& metric) {
  constexpr std::string_view spills = "smsp__sass_inst_executed_op_local.sum";
  return metric.info != nullptr && metric.info->better == Better::lower &&
         (metric.unit() == "ns" || metric.unit() == "B" || metric.name == spills);
}

Cell differenceCell(const Shown& metric, std::optional<double> candidate, std::optional<double> reference) {
  if (!candidate || !reference || !std::isfinite(*candidate) || !std::isfinite(*reference)) return {};
  const double by = *candidate - *reference;
  const bool points = metric.unit() == "%";
  Cell cell;
  bool matters = false;
  if (points) {
    // Percentages differ by points, since "+10 %" would not say of what.
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
  else if (isCost(metric))
    cell.tone = (by > 0) == (better == Better::higher) ? Tone::good : Tone::bad;
  else if (better != Better::neither)
    cell.text.insert(0, by > 0 ? "↑ " : "↓ ");
  return cell;
}

/// The metrics of a side over a whole call.
class OfCall {
 public:
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

const std::vector<ColumnOf<MetricLine>>& metricColumns() {
  using Kind = ColumnKind;
  using Line = const MetricLine&;
  static const std::vector<ColumnOf<MetricLine>> columns = {
      caseColumn<MetricLine>(),
      {{.key = "section",
        .title = "Section",
        .meaning = "Group of the metric",
        .kind = Kind::group,
        .rank = 2},
       [](Line line) {
         return textCell(std::string(line.section), Tone::muted, std::string(line.sectionMeaning));
       }},
      {{.key = "metric",
        .title = "Metric",
        .meaning = "What was counted; the tooltip says what it means",
        .kind = Kind::name},
       [](Line line) { return line.title; }},
      {{.key = "candidate",
        .title = "Candidate",
        .meaning = "Of one call of the candidate",
        .kind = Kind::number,
        .hasEarlier = true},
       [](Line line) {
         if (!line.instead.empty()) return textCell(line.instead, Tone::muted);
         return line.metric ? valueCell(*line.metric, line.candidate) : Cell{};
       }},
      {{.key = "reference",
        .title = "Reference",
        .meaning = "Of one call of the reference, over the same case",
        .kind = Kind::number},
       [](Line line) { return line.metric ? valueCell(*line.metric, line.reference) : Cell{}; }},
      {{.key = "difference",
        .title = "Difference",
        .meaning = "Candidate against reference: relative, or points where both are percentages",
        .kind = Kind::number,
        .rank = 1},
       [](Line line) {
         return line.comparable ? differenceCell(*line.metric, line.candidate.value, line.reference.value)
                                : Cell{};
       }},
  };
  return columns;
}

/// Makes the rows of one case.
class Metrics {
 public:
  Metrics(TableOf<MetricLine>& table, const Report& report, const ProfiledCase& one, std::string title)
      : table_(table),
        report_(report),
        one_(one),
        title_(std::move(title)),
        candidate_(one.profile->candidate),
        reference_(one.profile->reference) {}

  void all() {
    std::set<std::string> told;
    const MetricSection advised{
        "advised", "Behind the advice", "The metrics on which the advice rests, in its order", {}};
    for (const std::string_view name : namedByAdvice())
      if (told.emplace(name).second) add(advised, {std::string(name), metricInfo(name)});
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

  /// The metrics of the rules that have something to say; the most is at stake in the first.
  [[nodiscard]] std::vector<std::string_view> namedByAdvice() const {
    std::vector<std::pair<double, const AdviceRule*>> speaking;
    for (const AdviceRule& rule : adviceRules())
      if (const auto advice = rule.judge(report_, one_)) speaking.emplace_back(advice->weight, &rule);
    std::stable_sort(speaking.begin(), speaking.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::string_view> names;
    for (const auto& [weight, rule] : speaking)
      names.insert(names.end(), rule->metrics.begin(), rule->metrics.end());
    return names;
  }

  void row(const std::string& id, const MetricLine& line, int depth = 0) {
    table_.add(one_.rowId() + "/" + id, line, {}, depth);
  }

  void add(const MetricSection& section, const Shown& metric) {
    MetricLine line{title_, section.title, section.meaning, &metric};
    line.candidate = candidate_(metric.name);
    line.reference = reference_(metric.name);
    if (!line.candidate.value && !line.reference.value) return;
    line.title = textCell(metric.title(), Tone::neutral, metric.detail());
    line.comparable = true;
    row(metric.name, line);
    const std::size_t launches =
        std::max(one_.profile->candidate.launches.size(), one_.profile->reference.launches.size());
    if (launches < 2) return;
    for (std::size_t i = 0; i < std::min(launches, mostLaunches); ++i) addLaunch(section, metric, i);
    if (launches <= mostLaunches) return;
    MetricLine more{title_, section.title, {}};
    more.title = textCell(fmt::format("  … {} more launches", launches - mostLaunches), Tone::muted);
    row(metric.name + "/more", more, 1);
  }

  /// The i-th launch of each side.
  void addLaunch(const MetricSection& section, const Shown& metric, std::size_t i) {
    std::string names;
    const auto valueOf = [&](const SideProfile& side) -> Value {
      if (i >= side.launches.size()) return {};
      const std::string name = shortName(side.launches[i]);
      if (names.find(name) == std::string::npos) names += (names.empty() ? "" : " | ") + name;
      return {metricOf(side.launches[i], metric.name), side.launches[i].kernel};
    };
    MetricLine line{title_, section.title, {}, &metric};
    line.candidate = valueOf(one_.profile->candidate);
    line.reference = valueOf(one_.profile->reference);
    if (!line.candidate.value && !line.reference.value) return;
    line.title = textCell(fmt::format("  {}. {}", i + 1, names), Tone::muted, metric.detail());
    row(fmt::format("{}/{}", metric.name, i), line, 1);
  }

  void addMissing() {
    std::set<std::string> missing(one_.profile->candidate.missing.begin(),
                                  one_.profile->candidate.missing.end());
    missing.insert(one_.profile->reference.missing.begin(), one_.profile->reference.missing.end());
    for (const std::string& name : missing) {
      const Shown metric{name, metricInfo(name)};
      MetricLine line{title_, "Missing", "Metrics that this GPU does not have"};
      line.title = textCell(metric.title(), Tone::muted, metric.detail());
      line.instead = "not on this GPU";
      row("missing/" + name, line);
    }
  }

  TableOf<MetricLine>& table_;
  const Report& report_;
  const ProfiledCase& one_;
  std::string title_;
  OfCall candidate_, reference_;
};

}  // namespace

Table metricsTable(const Report& report, OneCase only) {
  const std::vector<ProfiledCase> cases = casesWithData(report, only);
  TableOf<MetricLine> table("metrics", countedTitle("Metrics", cases), forCases(metricColumns(), cases));
  for (const ProfiledCase& one : cases)
    Metrics(table, report, one, countedCaseTitle(report, one, cases)).all();
  return std::move(table).take(whyEmpty(report, Need::counters, only));
}

}  // namespace wb
