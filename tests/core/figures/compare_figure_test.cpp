// SPDX-License-Identifier: Apache-2.0
#include "core/figures/compare/compare_figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/figures/text/text.h"
#include "tests/core/figures/golden.h"

namespace wb {
namespace {

using testing::ElementsAre;

struct Ran {
  std::string op, args;
  Verdict verdict = Verdict::pass;
  double ratio = 0, low = 0, high = 0;  ///< 0: not timed
};

Report reportOf(const std::vector<Ran>& cases) {
  KernelReport kernel;
  for (const Ran& ran : cases) {
    CaseRow row;
    row.definition.op = ran.op;
    row.definition.args = ran.args;
    row.check.verdict = ran.verdict;
    if (ran.ratio > 0) {
      row.timing.emplace();
      row.timing->speedup = {ran.ratio, ran.low, ran.high, Pace::undecided};
    }
    kernel.cases.push(std::move(row));
  }
  Report report;
  report.kernels.emplace_back(std::move(kernel));
  return report;
}

std::vector<std::string> order(const std::vector<ComparedOperator>& operators) {
  std::vector<std::string> names;
  for (const ComparedOperator& op : operators) names.push_back(op.op);
  return names;
}

/// Faster, slower, wrong in one, the same, undecided, in one only.
Report first() {
  return reportOf({{"aten::relu", "x", Verdict::pass, 1, 0.99, 1.01},
                   {"aten::relu", "y", Verdict::pass, 2, 1.98, 2.02},
                   {"aten::exp", "x", Verdict::pass, 3, 2.9, 3.1},
                   {"aten::mul.Tensor", "x", Verdict::mismatch},
                   {"aten::mul.Tensor", "y", Verdict::pass, 1, 0.9, 1.1},
                   {"aten::abs", "x", Verdict::pass, 1, 0.999, 1.001},
                   {"aten::neg", "x", Verdict::pass, 1, 0.9, 1.1},
                   {"aten::tanh", "x", Verdict::pass, 1, 0.9, 1.1},
                   {"aten::mm", "x", Verdict::pass, 4, 3.9, 4.1}});
}
Report second() {
  return reportOf({{"aten::relu", "y", Verdict::pass, 8, 7.9, 8.1},
                   {"aten::relu", "x", Verdict::pass, 1.5, 1.4, 1.6},
                   {"aten::exp", "x", Verdict::pass, 1, 0.95, 1.05},
                   {"aten::mul.Tensor", "x", Verdict::pass, 1, 0.9, 1.1},
                   {"aten::mul.Tensor", "y", Verdict::pass, 0.5, 0.45, 0.55},
                   {"aten::abs", "x", Verdict::pass, 1, 0.999, 1.001},
                   {"aten::neg", "x", Verdict::pass, 1.2, 1.0, 1.4},
                   {"aten::mm", "x", Verdict::threw}});
}

TEST(CompareFigure, WinnersStandFirstAndLosersLast) {
  const auto operators = compareOperators(first(), second());
  EXPECT_THAT(order(operators), ElementsAre("aten::relu", "aten::mul.Tensor", "aten::neg", "aten::abs",
                                            "aten::tanh", "aten::mm", "aten::exp"));
}

TEST(CompareFigure, CasesAreMatchedByWhatTheyAreNotByPlace) {
  const ComparedOperator relu = compareOperators(first(), second()).front();
  ASSERT_EQ(relu.ratios.size(), 2u);
  EXPECT_DOUBLE_EQ(relu.ratios[0].ratio, 4);
  EXPECT_DOUBLE_EQ(relu.ratios[0].low, 7.9 / 2.02);
  EXPECT_DOUBLE_EQ(relu.ratios[0].high, 8.1 / 1.98);
  EXPECT_DOUBLE_EQ(relu.ratios[1].ratio, 1.5);
}

TEST(CompareFigure, TheOneThatFailsFewerCasesWinsThoughItIsSlower) {
  const auto operators = compareOperators(first(), second());
  EXPECT_EQ(operators[1].winner, Winner::b);
  EXPECT_EQ(operators[1].why, "A fails 1 of 2");
  EXPECT_EQ(operators[5].winner, Winner::a);
  EXPECT_EQ(operators[5].why, "B fails 1 of 1");
}

TEST(CompareFigure, AnIntervalThatHoldsOneDecidesNothing) {
  const auto operators = compareOperators(first(), second());
  EXPECT_EQ(operators[2].why, "undecided");
  EXPECT_EQ(operators[3].why, "the same");
  EXPECT_EQ(operators[4].why, "B has no case of it");
  for (int i : {2, 3, 4}) EXPECT_EQ(operators[i].winner, Winner::none);
}

TEST(CompareFigure, EqualCallsAreMatchedInTheirOrder) {
  const Report a =
      reportOf({{"aten::relu", "x", Verdict::pass, 1, 1, 1}, {"aten::relu", "x", Verdict::pass, 2, 2, 2}});
  const Report b =
      reportOf({{"aten::relu", "x", Verdict::pass, 3, 3, 3}, {"aten::relu", "x", Verdict::pass, 8, 8, 8}});
  const auto operators = compareOperators(a, b);
  ASSERT_EQ(operators.front().ratios.size(), 2u);
  EXPECT_DOUBLE_EQ(operators.front().ratios[0].ratio, 3);
  EXPECT_DOUBLE_EQ(operators.front().ratios[1].ratio, 4);
}

TEST(CompareFigure, SwappingTheSidesSwapsTheWinners) {
  const auto there = compareOperators(first(), second()), back = compareOperators(second(), first());
  for (const ComparedOperator& op : there) {
    const auto other =
        std::find_if(back.begin(), back.end(), [&](const auto& one) { return one.op == op.op; });
    ASSERT_NE(other, back.end());
    const Winner expected = op.winner == Winner::a   ? Winner::b
                            : op.winner == Winner::b ? Winner::a
                                                     : Winner::none;
    EXPECT_EQ(other->winner, expected) << op.op;
  }
}

TEST(CompareFigure, AsText) {
  expectGolden("compare.txt", toText(compareHeadline(first(), second())) + "\n" +
                                  toText(compareTable(first(), second())) + "\n" +
                                  toText(compareChart(first(), second())));
}

TEST(CompareFigure, NothingAgainstNothing) {
  EXPECT_TRUE(compareTable({}, {}).rows.empty());
  EXPECT_FALSE(compareTable({}, {}).empty.empty());
  EXPECT_EQ(compareHeadline({}, {}).cards.front().value, "–");
}

}  // namespace
}  // namespace wb
