// SPDX-License-Identifier: Apache-2.0
// Which cases a kernel is asked more about: the largest always, and others by a number that nobody knows.
#include "core/engine/pipeline/kernel/drawn_to_ask.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

namespace wb {
namespace {

PlannedCases sizes(std::initializer_list<int> all) {
  std::vector<Case> cases;
  for (const int size : all) {
    Case one;
    one.op = "relu.default";
    one.args = fmt::format("((T([{}], f32),), {{}})", size);
    cases.push_back(one);
  }
  return allCases("relu.default", std::move(cases));
}

TEST(DrawnToAsk, TheLargestIsAlwaysAskedAndOthersByTheNumber) {
  const PlannedCases cases = sizes({3, 5, 7, 9, 11, 4096, 13, 15, 17, 19});
  std::set<const Case*> all;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::set<const Case*> drawn = drawnToAsk(cases, seed);
    EXPECT_TRUE(drawn.contains(&cases.cases[5]));
    EXPECT_GE(drawn.size(), 2U);
    EXPECT_LE(drawn.size(), 3U);
    all.insert(drawn.begin(), drawn.end());
  }
  EXPECT_EQ(all.size(), cases.cases.size()) << "each is asked about by some number";
}

TEST(DrawnToAsk, CasesWithoutANumberAreAskedAboutOnlyWhereThereIsNoOther) {
  const PlannedCases cases = sizes({0, 3, 0, 5, 0, 7});
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    for (const Case* each : drawnToAsk(cases, seed)) EXPECT_NE(each->args, cases.cases[0].args);
  const PlannedCases empty = sizes({0, 0});
  EXPECT_EQ(drawnToAsk(empty, 1).size(), 1U);
}

TEST(DrawnToAsk, CasesWithoutATensorAreAskedAboutAsAnyOthers) {
  std::vector<Case> cases;
  for (const int end : {3, 5, 7, 9}) {
    Case one;
    one.op = "arange.default";
    one.args = fmt::format("(({},), {{}})", end);
    cases.push_back(one);
  }
  const PlannedCases planned = allCases("arange.default", std::move(cases));
  std::set<const Case*> all;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::set<const Case*> drawn = drawnToAsk(planned, seed);
    EXPECT_GE(drawn.size(), 2U);
    all.insert(drawn.begin(), drawn.end());
  }
  EXPECT_EQ(all.size(), 4U);
}

TEST(DrawnToAsk, AProblemIsAskedAboutOnce) {
  PlannedCases cases = sizes({3, 3, 3, 3});
  for (Case& each : cases.cases) each.values = "own";
  EXPECT_EQ(drawnToAsk(cases, 7).size(), 1U);
}

TEST(DrawnToAsk, CasesOfOtherWorkersAreLeftToThem) {
  PlannedCases cases = sizes({3, 5});
  cases.count = 1000;
  cases.numbers = {0, 999};
  EXPECT_TRUE(drawnToAsk(cases, 1).contains(&cases.cases[1])) << "the largest that is here";
  EXPECT_LE(drawnToAsk(cases, 1).size(), 2U);
}

TEST(DrawnToAsk, UnusualValuesAreNotAskedAbout) {
  PlannedCases cases = sizes({3, 50});
  cases.cases[1].values = "nan";
  EXPECT_EQ(drawnToAsk(cases, 1), std::set<const Case*>{&cases.cases[0]});
}

}  // namespace
}  // namespace wb
