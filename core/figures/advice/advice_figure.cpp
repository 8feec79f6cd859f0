// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/figures/advice/advice.h"
#include "core/figures/cells.h"
#include "core/figures/columns.h"

namespace wb {

namespace {

struct Said {
  std::string caseTitle;
  const KernelReport* kernel = nullptr;
  std::string_view rule;
  Advice advice;
};

std::string placeText(const KernelReport& kernel, const Place& place) {
  if (place.line <= 0) return {};
  return place.file == kernel.source.path ? fmt::format("line {}", place.line)
                                          : fmt::format("{}:{}", fileNameOf(place.file), place.line);
}

/// "saves ≤ 32 %"; nothing where it is not known or not worth a word.
Cell savesCell(const Said& said) {
  constexpr double least = 0.01;
  if (said.advice.saves.value_or(0) < least) return {};
  Cell cell = textCell(fmt::format("saves ≤ {:.0f} %", std::floor(100 * *said.advice.saves)), Tone::muted);
  cell.sort = *said.advice.saves;
  return cell;
}

const std::vector<ColumnOf<Said>>& adviceColumns() {
  using Kind = ColumnKind;
  static const std::vector<ColumnOf<Said>> columns = {
      caseColumn<Said>(),
      {{.key = "advice",
        .title = "Advice",
        .meaning = "What the numbers say, and what they are",
        .kind = Kind::prose},
       [](const Said& said) { return textCell(said.advice.text, said.advice.tone); }},
      {{.key = "saves",
        .title = "Gain",
        .meaning = "The most of the call's time that following it can save, as far as the numbers tell",
        .kind = Kind::number},
       savesCell},
      {{.key = "place", .title = "Place", .meaning = "The line that it points to", .kind = Kind::place},
       [](const Said& said) { return textCell(placeText(*said.kernel, said.advice.place), Tone::muted); }},
  };
  return columns;
}

/// What the rules say about one case; the most is at stake in the first.
std::vector<Said> adviceOf(const Report& report, const ProfiledCase& one, const std::string& title) {
  std::vector<Said> all;
  for (const AdviceRule& rule : adviceRules())
    if (auto advice = rule.judge(report, one))
      all.push_back({title, one.kernel, rule.id, std::move(*advice)});
  std::stable_sort(all.begin(), all.end(),
                   [](const Said& a, const Said& b) { return a.advice.weight > b.advice.weight; });
  return all;
}

}  // namespace

Table adviceTable(const Report& report, OneCase only) {
  const std::vector<ProfiledCase> cases = casesWithData(report, only);
  TableOf<Said> table("advice", countedTitle("Advice", cases), forCases(adviceColumns(), cases));
  for (const ProfiledCase& one : cases)
    for (const Said& said : adviceOf(report, one, countedCaseTitle(report, one, cases)))
      table.add(fmt::format("{}/{}", one.rowId(), said.rule), said, said.advice.place);
  const bool profiled = std::any_of(cases.begin(), cases.end(), [](const ProfiledCase& one) {
    return !one.profile->candidate.launches.empty();
  });
  return std::move(table).take(profiled ? "Nothing stands out in what was counted"
                                        : whyEmpty(report, Need::counters, only));
}

}  // namespace wb
