// SPDX-License-Identifier: Apache-2.0
#include "core/figures/compare/compare_figure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/columns.h"
#include "core/figures/ratio_columns.h"

namespace wb {
namespace {

/// How many winners a card names.
constexpr std::size_t namedOperators = 6;

std::string verdictsText(const std::map<Verdict, int>& verdicts) {
  std::vector<std::string> parts;
  for (const auto& [verdict, count] : verdicts)
    parts.push_back(fmt::format("{} {}", formatCount(count), name(verdict)));
  return parts.empty() ? "no cases" : fmt::format("{}", fmt::join(parts, " · "));
}

Tone toneOfWinner(Winner winner) {
  return winner == Winner::b ? Tone::good : winner == Winner::a ? Tone::bad : Tone::muted;
}

ComparedSide total(const std::vector<ComparedOperator>& operators, ComparedSide ComparedOperator::*side) {
  ComparedSide sum;
  for (const ComparedOperator& op : operators) {
    const ComparedSide& one = op.*side;
    sum.cases += one.cases;
    sum.passed += one.passed;
    sum.failed += one.failed;
    for (const auto& [verdict, count] : one.verdicts) sum.verdicts[verdict] += count;
  }
  return sum;
}

Card sideCard(const char* title, const ComparedSide& side) {
  Card card{title, title, fmt::format("{} of {} pass", formatCount(side.passed), formatCount(side.cases)),
            verdictsText(side.verdicts), Tone::neutral};
  if (side.failed > 0) card.tone = Tone::bad;
  return card;
}

Card ratioCard(const std::vector<ComparedOperator>& operators) {
  std::vector<Speedup> all;
  for (const ComparedOperator& op : operators) all.insert(all.end(), op.ratios.begin(), op.ratios.end());
  Card card{"ratio", "B against A", "–", "no case was timed in both", Tone::muted};
  if (all.empty()) return card;
  const SpeedupSummary summary = summarize(all);
  card.value = formatRatio(summary.geomean);
  card.detail = fmt::format("{} · min {} · max {} · {} · {} faster, {} slower, {} same, {} undecided",
                            intervalText(summary.low, summary.high), formatRatio(summary.minimum),
                            formatRatio(summary.maximum), plural(summary.cases, "case", "cases"),
                            summary.faster, summary.slower, summary.same, summary.undecided);
  card.tone = toneOf(summary);
  return card;
}

/// The operators that one side wins, the clearest first.
Card winsCard(std::vector<const ComparedOperator*> won, const char* who, Tone tone) {
  Card card{fmt::format("wins{}", who), fmt::format("{} wins", who),
            plural(static_cast<std::int64_t>(won.size()), "operator", "operators"), "",
            won.empty() ? Tone::muted : tone};
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < won.size() && i < namedOperators; ++i) {
    const ComparedOperator& op = *won[i];
    const bool byTime = op.why == "faster" && !op.ratios.empty();
    parts.push_back(fmt::format("{} {}", operatorLabel(op.op),
                                byTime ? formatRatio(summarize(op.ratios).geomean) : "(" + op.why + ")"));
  }
  if (won.size() > namedOperators) parts.push_back(fmt::format("and {} more", won.size() - namedOperators));
  card.detail = fmt::format("{}", fmt::join(parts, ", "));
  return card;
}

Cell sideCell(const ComparedSide& side) {
  if (side.cases == 0) return {};
  return textCell(verdictsText(side.verdicts), side.failed > 0 ? Tone::bad : Tone::neutral);
}

struct ComparedLine {
  const ComparedOperator& op;
  std::optional<SpeedupSummary> summary = {};
};
using Line = const ComparedLine&;

Cell winnerCell(Line line) {
  const std::string_view who = line.op.winner == Winner::a ? "A" : line.op.winner == Winner::b ? "B" : "–";
  return textCell(std::string(who), toneOfWinner(line.op.winner));
}

const std::vector<ColumnOf<ComparedLine>>& compareColumns() {
  using Kind = ColumnKind;
  static const std::vector<ColumnOf<ComparedLine>> columns = {
      {{.key = "operator", .title = "Operator", .meaning = "ATen operator", .kind = Kind::name},
       [](Line line) { return textCell(operatorLabel(line.op.op), Tone::neutral, line.op.op); }},
      {{.key = "a", .title = "A", .meaning = "Verdicts of A's cases"},
       [](Line line) { return sideCell(line.op.a); }},
      {{.key = "b", .title = "B", .meaning = "Verdicts of B's cases"},
       [](Line line) { return sideCell(line.op.b); }},
      {{.key = "timed",
        .title = "Timed",
        .meaning = "Cases that were timed in both",
        .kind = Kind::number,
        .rank = 2},
       [](Line line) { return line.summary ? countCell(line.summary->cases) : Cell{}; }},
      {ratioColumn("ratio", "B / A", "How many times B is as fast as A: geometric mean over those cases"),
       [](Line line) {
         return line.summary ? ratioCell(line.summary->geomean, toneOf(*line.summary)) : Cell{};
       }},
      {{.key = "bounds",
        .title = "Bounds",
        .meaning = "Geometric mean of the ends of the cases' intervals",
        .kind = Kind::number,
        .rank = 1},
       [](Line line) {
         return line.summary ? textCell(intervalText(line.summary->low, line.summary->high), Tone::muted)
                             : Cell{};
       }},
      endColumn<ComparedLine, &SpeedupSummary::minimum>("minimum", "Min", "Smallest ratio of a case"),
      endColumn<ComparedLine, &SpeedupSummary::maximum>("maximum", "Max", "Largest ratio of a case"),
      {{.key = "winner",
        .title = "Winner",
        .meaning = "The one that fails fewer cases, else the faster one where that is certain",
        .kind = Kind::verdict},
       winnerCell},
      {{.key = "why", .title = "Why", .meaning = "What decided", .rank = 2},
       [](Line line) { return textCell(line.op.why, Tone::muted); }},
  };
  return columns;
}

}  // namespace

Cards compareHeadline(const Report& a, const Report& b) {
  const auto operators = compareOperators(a, b);
  Cards cards{"compare", {}};
  cards.cards.push_back(ratioCard(operators));
  cards.cards.push_back(sideCard("A", total(operators, &ComparedOperator::a)));
  cards.cards.push_back(sideCard("B", total(operators, &ComparedOperator::b)));
  if (operators.size() < 2) return cards;  // who wins the only operator is told by the ratio
  std::vector<const ComparedOperator*> winsB, winsA;
  for (const ComparedOperator& op : operators) {
    if (op.winner == Winner::b) winsB.push_back(&op);
    if (op.winner == Winner::a) winsA.insert(winsA.begin(), &op);
  }
  cards.cards.push_back(winsCard(std::move(winsB), "B", Tone::good));
  cards.cards.push_back(winsCard(std::move(winsA), "A", Tone::bad));
  return cards;
}

Table compareTable(const Report& a, const Report& b) {
  TableOf<ComparedLine> table("compare", "B against A", compareColumns());
  for (const ComparedOperator& op : compareOperators(a, b)) {
    ComparedLine line{op};
    if (!op.ratios.empty()) line.summary = summarize(op.ratios);
    table.add(op.op, line);
  }
  return std::move(table).take("No cases in either run");
}

BarChart compareChart(const Report& a, const Report& b) {
  BarChart chart;
  chart.id = "compareChart";
  chart.title = "B against A";
  chart.axis = "times as fast";
  auto operators = compareOperators(a, b);
  std::erase_if(operators, [](const ComparedOperator& op) { return op.ratios.empty(); });
  const auto geomean = [](const ComparedOperator& op) { return summarize(op.ratios).geomean; };
  std::stable_sort(operators.begin(), operators.end(),
                   [&](const auto& x, const auto& y) { return geomean(x) > geomean(y); });
  for (const ComparedOperator& op : operators) {
    const SpeedupSummary summary = summarize(op.ratios);
    chart.bars.push_back({operatorLabel(op.op), summary.geomean, summary.low, summary.high,
                          formatRatio(summary.geomean), toneOf(summary), op.op});
  }
  if (chart.bars.empty()) chart.empty = "No case was timed in both";
  return chart;
}

}  // namespace wb
