// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/profile_output.h"

#include <algorithm>
#include <variant>

#include "core/figures/figures.h"
#include "core/figures/profile/profile_figures.h"

namespace wb {
namespace {

/// Machine code of a real kernel fills screens; the reports have all of it.
constexpr std::size_t mostInstructions = 40, mostLines = 15, mostBars = 12, mostLaunches = 30;

bool hasRows(const Figure& figure) {
  struct Visitor {
    bool operator()(const Cards& cards) const { return !cards.cards.empty(); }
    bool operator()(const Table& table) const { return !table.rows.empty(); }
    bool operator()(const BarChart& chart) const { return !chart.bars.empty(); }
    bool operator()(const PlaneChart& chart) const { return !chart.points.empty(); }
    bool operator()(const TimeChart& chart) const { return !chart.lanes.empty(); }
  };
  return std::visit(Visitor{}, figure);
}

std::string limited(const Figure& figure, TextStyle style, std::size_t rows) {
  style.maxRows = rows;
  return "\n" + toText(figure, style);
}

/// Figures of one case; what is missing is said once for figures that miss it alike.
std::string caseText(const Report& report, CaseKey key, const TextStyle& style) {
  std::string text = limited(adviceTable(report, key), style, 0);
  const std::pair<Figure, std::size_t> parts[] = {
      {metricsTable(report, key), 0},      {launchesTable(report, key), mostLaunches},
      {rooflineChart(report, key), 0},     {timelineChart(report, key), 0},
      {stallChart(report, key), mostBars}, {hotLinesTable(report, key), mostLines}};
  for (const auto& [figure, rows] : parts)
    if (hasRows(figure)) text += limited(figure, style, rows);
  return text;
}

/// Why parts are missing, each reason once.
std::string missingText(const Report& report, OneCase key) {
  std::vector<std::string> reasons;
  for (const std::string& why :
       {metricsTable(report, key).empty, timelineChart(report, key).empty, hotLinesTable(report, key).empty})
    if (!why.empty() && std::find(reasons.begin(), reasons.end(), why) == reasons.end())
      reasons.push_back(why);
  std::string text;
  for (const std::string& why : reasons) text += "\n" + why + "\n";
  return text;
}

std::string staticText(const Report& report, const TextStyle& style) {
  std::string text = limited(kernelsTable(report), style, 0);
  if (const Table occupancy = occupancyTable(report); !occupancy.rows.empty())
    text += limited(occupancy, style, mostInstructions);
  const Table code = instructionsTable(report);
  if (!code.rows.empty()) text += limited(code, style, mostInstructions);
  return text;
}

}  // namespace

std::string profileText(const Report& report, const TextStyle& style) {
  if (!report.stages.has(Stage::profile)) return {};
  if ((report.target.device.empty() ? report.device : report.target.device) == "cpu")
    return "\nProfile: the static view alone, for this ran on the CPU. Counters, samples and timelines need "
           "a "
           "GPU.\n" +
           staticText(report, style);
  const std::vector<CaseKey> cases = profiledCases(report);
  if (cases.empty()) return "\nProfile\n" + missingText(report, {});
  std::string text;
  for (const CaseKey key : cases)
    text += "\nProfile of " + caseTitle(report, key) + "\n" + caseText(report, key, style) +
            missingText(report, key);
  return text;
}

}  // namespace wb
