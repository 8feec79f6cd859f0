// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/figures/advice/advice.h"
#include "core/figures/cells.h"

namespace wb {

namespace {

struct Said {
  const AdviceRule* rule = nullptr;
  Advice advice;
};

std::string placeText(const KernelReport& kernel, const Place& place) {
  if (place.line <= 0) return {};
  const std::size_t slash = place.file.rfind('/');
  const std::string file = slash == std::string::npos ? place.file : place.file.substr(slash + 1);
  return place.file == kernel.source.path ? fmt::format("line {}", place.line)
                                          : fmt::format("{}:{}", file, place.line);
}

}  // namespace

Table adviceTable(const Report& report, OneCase only) {
  Table table;
  table.id = "advice";
  table.columns = {{"advice", "Advice", false, "What the numbers say, and what they are"},
                   {"place", "Place", false, "The line that it points to"}};
  const std::vector<ProfiledCase> cases = casesWithData(report, only);
  table.title = countedTitle("Advice", cases);
  const bool several = cases.size() > 1;
  addCaseColumn(table, several);
  for (const ProfiledCase& one : cases) {
    std::vector<Said> said;
    for (const AdviceRule& rule : adviceRules())
      if (auto advice = rule.judge(report, one)) said.push_back({&rule, std::move(*advice)});
    // What most is at stake for comes first.
    std::stable_sort(said.begin(), said.end(),
                     [](const Said& a, const Said& b) { return a.advice.weight > b.advice.weight; });
    for (Said& item : said) {
      std::vector<Cell> cells;
      if (several) cells.push_back(textCell(countedCaseTitle(report, one, cases)));
      cells.push_back(textCell(std::move(item.advice.text), item.advice.tone));
      cells.push_back(textCell(placeText(*one.kernel, item.advice.place), Tone::muted));
      table.rows.push_back(std::move(cells));
      table.rowIds.push_back(fmt::format("{}/{}", one.rowId(), item.rule->id));
      table.places.push_back(std::move(item.advice.place));
    }
  }
  if (!table.rows.empty()) return table;
  const bool profiled = std::any_of(cases.begin(), cases.end(), [](const ProfiledCase& one) {
    return !one.profile->candidate.launches.empty();
  });
  table.empty = profiled ? "Nothing stands out in what was counted" : whyEmpty(report, Need::counters, only);
  return table;
}

}  // namespace wb
