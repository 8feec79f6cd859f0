// SPDX-License-Identifier: Apache-2.0
#include "core/model/measurement.h"

#include "core/model/pace.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>

namespace wb {
namespace {

using ::testing::DoubleNear;

Block block(double reference, double candidate) {
  return {{reference, reference}, {candidate, candidate}, false};
}

std::vector<Block> ratios(const std::vector<double>& values) {
  std::vector<Block> blocks;
  for (double value : values) blocks.push_back(block(value, 1));
  return blocks;
}

TEST(MedianTest, IsTheMiddleOrTheMeanOfTheTwoThere) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({7}), 7);
  EXPECT_EQ(median({}), 0);
}

TEST(CompareTest, RatioIsTheMedianOfTheBlocksRatios) {
  EXPECT_DOUBLE_EQ(compare(ratios({2, 3, 100}))->ratio, 3);
  EXPECT_NEAR(compare(ratios({2, 8}))->ratio, 4, 1e-12);  // between two: the geometric mean
  const std::vector<Block> one{{{1, 3}, {0.5, 1.5}, true}};
  EXPECT_NEAR(compare(one)->ratio, 2, 1e-12);
}

TEST(CompareTest, IntervalIsTwoOrderStatistics) {
  // n = 10: P(Bin(10, ½) < 2) = 1.07 % ≤ 2.5 % < P(Bin < 3), so ranks 2 and 9.
  const auto speedup = compare(ratios({10, 9, 8, 7, 6, 5, 4, 3, 2, 1}));
  EXPECT_NEAR(speedup->low, 2, 1e-12);
  EXPECT_NEAR(speedup->high, 9, 1e-12);
  // n = 6: the extremes
  const auto six = compare(ratios({1, 2, 3, 4, 5, 6}));
  EXPECT_NEAR(six->low, 1, 1e-12);
  EXPECT_NEAR(six->high, 6, 1e-12);
  // n = 100: ranks 40 and 61 (tables: Conover, A3)
  std::vector<Block> hundred;
  for (int i = 1; i <= 100; ++i) hundred.push_back(block(i, 1));
  EXPECT_NEAR(compare(hundred)->low, 40, 1e-9);
  EXPECT_NEAR(compare(hundred)->high, 61, 1e-9);
}

TEST(CompareTest, NormalApproximationMeetsTheExactRanks) {
  std::vector<Block> blocks;
  for (int i = 1; i <= 1000; ++i) blocks.push_back(block(i, 1));
  EXPECT_NEAR(compare(blocks)->low, 469, 1e-6);  // exact
  blocks.push_back(block(1001, 1));
  EXPECT_NEAR(compare(blocks)->low, 469, 1.5);
}

TEST(CompareTest, FewBlocksGiveAWideInterval) {
  const auto two = compare(ratios({1.00, 1.02}));
  EXPECT_LT(two->low, 0.9);  // Student's t of one degree: ± 12.7 standard errors
  EXPECT_GT(two->high, 1.1);
  EXPECT_EQ(two->pace, Pace::undecided);
  const auto five = compare(ratios({1.00, 1.01, 1.02, 0.99, 0.98}));
  EXPECT_LE(five->low, 0.98);
  EXPECT_GE(five->high, 1.02);
}

TEST(CompareTest, FewBlocksThatDifferWildlyHaveNoInterval) {
  // Beside a busy process: 0.00000376 – 4 978 717 was said of two such blocks.
  const auto speedup = compare(ratios({55, 0.42}));
  EXPECT_GT(speedup->ratio, 0);
  EXPECT_FALSE(hasInterval(*speedup));
  EXPECT_EQ(speedup->low, 0);
  EXPECT_EQ(speedup->high, 0);
  EXPECT_EQ(speedup->pace, Pace::undecided);
  EXPECT_FALSE(hasInterval(noNarrower(*speedup, 0.01)));
  EXPECT_TRUE(hasInterval(*compare(ratios({1.00, 1.02}))));
  EXPECT_TRUE(hasInterval(*compare(ratios({55, 0.42, 3, 70, 0.1, 9}))));
}

TEST(CompareTest, AKernelThatIsUnevenOnAQuietMachineIsAsSlowAsAllOfItsCalls) {
  // Left out of the mean, it would be without the cases in which it takes its time.
  const std::vector<Block> few{
      {{1, 1}, {1, 1}, false}, {{1, 1.1}, {100, 1}, true}, {{1, 1}, {0.9, 1}, false}};
  const auto speedup = compare(few);
  EXPECT_TRUE(hasInterval(*speedup));
  EXPECT_NEAR(speedup->ratio, 6.1 / 104.9, 1e-9);
  EXPECT_LE(speedup->low, speedup->ratio);
  EXPECT_GE(speedup->high, 1);
  EXPECT_EQ(speedup->pace, Pace::undecided);
  std::vector<Block> many;
  for (int i = 0; i < 20; ++i) many.push_back({{1, 1}, {i % 2 ? 1e5 : 1.0, 1}, false});
  EXPECT_TRUE(hasInterval(*compare(many)));
  for (Block& block : many) block.reference[0] = block.candidate[0];
  EXPECT_NEAR(compare(many)->ratio, 1, 1e-9);
}

TEST(CompareTest, WhatHasNoIntervalIsInNoMean) {
  const SpeedupSummary summary =
      summarize(std::vector{*compare(ratios({55, 0.42})), Speedup{2, 2, 2, Pace::faster}});
  EXPECT_EQ(summary.cases, 1);
  EXPECT_DOUBLE_EQ(summary.geomean, 2);
}

TEST(CompareTest, OneBlockDecidesNothing) {
  const auto speedup = compare(ratios({10}));
  EXPECT_EQ(speedup->pace, Pace::undecided);
  const std::vector<Block> noisy{{{1.0, 1.2}, {1.0, 0.9}, false}};
  EXPECT_LT(compare(noisy)->low, 0.8);
  EXPECT_GT(compare(noisy)->high, 1.4);
}

TEST(CompareTest, SpreadWithinBlocksCountsWhereBlocksAgreeByChance) {
  const std::vector<Block> blocks(3, Block{{1.0, 1.5}, {1.0, 1.5}, false});
  const auto speedup = compare(blocks);
  EXPECT_LT(speedup->low, 0.8);
  EXPECT_EQ(speedup->pace, Pace::undecided);
}

TEST(CompareTest, PaceFollowsTheInterval) {
  EXPECT_EQ(compare(std::vector<Block>(8, block(1.5, 1)))->pace, Pace::faster);
  EXPECT_EQ(compare(std::vector<Block>(8, block(1, 1.5)))->pace, Pace::slower);
  EXPECT_EQ(compare(std::vector<Block>(8, block(1.005, 1)))->pace, Pace::same);
  EXPECT_EQ(compare(std::vector<Block>(8, block(1.005, 1)), {}, 0.001)->pace, Pace::faster);
  EXPECT_EQ(compare(ratios({0.9, 0.95, 1, 1, 1.05, 1.1}))->pace, Pace::undecided);
  EXPECT_EQ(compare(ratios({1.005, 1.5, 1.5, 1.5, 1.5, 1.5}))->pace, Pace::undecided);
}

TEST(CompareTest, WhatIsNoTimeIsAnError) {
  EXPECT_FALSE(compare({}));
  for (double bad :
       {0.0, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    std::vector<Block> blocks(7, block(1, 1));
    blocks[4].candidate[1] = bad;
    const auto speedup = compare(blocks);
    ASSERT_FALSE(speedup) << bad;
    EXPECT_EQ(speedup.error().stage, Stage::time);
    EXPECT_THAT(speedup.error().text, ::testing::HasSubstr("Block 4"));
  }
}

TEST(CompareTest, ExtremeTimesStayFinite) {
  const std::vector<Block> blocks(7, block(1e308, 1e300));
  EXPECT_NEAR(compare(blocks)->ratio / 1e8, 1, 1e-6);
}

TEST(CompareTest, SwappingSidesInvertsTheAnswer) {
  std::mt19937_64 random(5);
  std::lognormal_distribution<double> noise(0, 0.1);
  std::vector<Block> blocks, swapped;
  for (int i = 0; i < 37; ++i) {
    const Block b{{noise(random), noise(random)}, {noise(random), noise(random)}, false};
    blocks.push_back(b);
    swapped.push_back({b.candidate, b.reference, false});
    if (i == 0) continue;
    const auto there = compare(blocks), back = compare(swapped);
    EXPECT_NEAR(there->ratio * back->ratio, 1, 1e-9);
    ASSERT_EQ(hasInterval(*there), hasInterval(*back));
    if (!hasInterval(*there)) continue;
    EXPECT_NEAR(there->low * back->high, 1, 1e-9);
    EXPECT_LE(there->low, there->ratio);
    EXPECT_GE(there->high, there->ratio);
  }
}

/// Share of runs whose interval covers the truth: log-normal noise of 5 %, drift along the run, and one
/// sample in twenty slower by up to a factor of three.
double coverage(std::size_t blocks, double truth) {
  std::mt19937_64 random(blocks * 7 + static_cast<std::uint64_t>(truth * 1000));
  std::lognormal_distribution<double> noise(0, 0.05);
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto sample = [&](double time) {
    return time * noise(random) * (uniform(random) < 0.05 ? 1 + 2 * uniform(random) : 1);
  };
  constexpr int runs = 2000;
  int covered = 0;
  for (int run = 0; run < runs; ++run) {
    std::vector<Block> all;
    for (std::size_t i = 0; i < blocks; ++i) {
      const double drift = 1 + 0.1 * static_cast<double>(i) / static_cast<double>(blocks);
      all.push_back({{sample(truth * drift), sample(truth * drift)}, {sample(drift), sample(drift)}, false});
    }
    const auto speedup = compare(all);
    // One without an interval says nothing that could be wrong.
    covered += !hasInterval(*speedup) || (speedup->low <= truth && truth <= speedup->high);
  }
  return covered / static_cast<double>(runs);
}

class CoverageTest : public ::testing::TestWithParam<std::size_t> {};
TEST_P(CoverageTest, IntervalCoversTheTruthAsOftenAsItSays) {
  // 2000 runs of 95 % have a standard deviation of 0.5 points.
  EXPECT_GE(coverage(GetParam(), 1.0), 0.935);
  EXPECT_GE(coverage(GetParam(), 1.7), 0.935);
}
INSTANTIATE_TEST_SUITE_P(, CoverageTest, ::testing::Values(2, 3, 4, 5, 6, 7, 10, 25, 60, 200));

TEST(CompareTest, NullTestIsSeldomFasterOrSlower) {
  std::mt19937_64 random(3);
  std::lognormal_distribution<double> noise(0, 0.03);
  int wrong = 0;
  for (int run = 0; run < 1000; ++run) {
    std::vector<Block> blocks;
    for (int i = 0; i < 40; ++i)
      blocks.push_back({{noise(random), noise(random)}, {noise(random), noise(random)}, false});
    const Pace pace = compare(blocks)->pace;
    wrong += pace == Pace::faster || pace == Pace::slower;
  }
  EXPECT_LE(wrong, 50);
}

TEST(SummarizeTest, GeometricMeanWithBounds) {
  const std::vector<Speedup> speedups{{2, 1.8, 2.2, Pace::faster},
                                      {0.5, 0.4, 0.6, Pace::slower},
                                      {1, 1, 1, Pace::same},
                                      {1, 0.5, 2, Pace::undecided}};
  const SpeedupSummary summary = summarize(speedups);
  EXPECT_EQ(summary.cases, 4);
  EXPECT_NEAR(summary.geomean, 1, 1e-12);
  EXPECT_NEAR(summary.low, std::pow(1.8 * 0.4 * 1 * 0.5, 0.25), 1e-12);
  EXPECT_NEAR(summary.high, std::pow(2.2 * 0.6 * 1 * 2, 0.25), 1e-12);
  EXPECT_EQ(summary.minimum, 0.5);
  EXPECT_EQ(summary.maximum, 2);
  EXPECT_THAT((std::vector{summary.faster, summary.slower, summary.same, summary.undecided}),
              ::testing::ElementsAre(1, 1, 1, 1));
}

TEST(SummarizeTest, LeavesOutWhatIsNoSpeedup) {
  EXPECT_EQ(summarize({}), SpeedupSummary{});
  const std::vector<Speedup> broken{{}, {std::nan(""), 1, 1, Pace::same}, {2, 2, 2, Pace::faster}};
  EXPECT_EQ(summarize(broken).cases, 1);
  EXPECT_DOUBLE_EQ(summarize(broken).geomean, 2);
}

TEST(NoNarrowerTest, WidensTheIntervalAndJudgesAgain) {
  const Speedup faster{1.02, 1.015, 1.025, Pace::faster};
  EXPECT_EQ(noNarrower(faster, 0.001), faster) << "it is wider";
  const Speedup wider = noNarrower(faster, 0.015);
  EXPECT_EQ(wider.ratio, 1.02);
  EXPECT_NEAR(wider.low, 1.02 / 1.015, 1e-12);
  EXPECT_NEAR(wider.high, 1.02 * 1.015, 1e-12);
  EXPECT_EQ(wider.pace, Pace::undecided);
  const Speedup same{1.004, 1.003, 1.005, Pace::same};
  EXPECT_EQ(noNarrower(same, 0.005).pace, Pace::same);
  EXPECT_LT(noNarrower(same, 0.005).low, 1);
  const Speedup undecided{2, 1.9, 2.1, Pace::undecided};  // of one block
  EXPECT_EQ(noNarrower(undecided, 0.001).pace, Pace::undecided);
}

TEST(DrawsTest, BlocksThatErrAlikeCountAsFewer) {
  // Eight places in memory, five blocks each, which lie by the place and hardly differ among themselves.
  std::vector<double> values;
  std::vector<std::size_t> draws, apart;
  for (std::size_t i = 0; i < 40; ++i) {
    const std::size_t place = i % 8;
    values.push_back(1 + 0.01 * static_cast<double>(place) + 0.0001 * static_cast<double>(i / 8));
    draws.push_back(place);
    apart.push_back(i);
  }
  const auto alone = compare(ratios(values)), placed = compare(ratios(values), draws);
  EXPECT_EQ(*compare(ratios(values), apart), *alone) << "each of a draw of its own";
  EXPECT_EQ(placed->ratio, alone->ratio);
  EXPECT_LT(placed->low, 1.011) << "eight values reach 95 % from the second to the seventh at best";
  EXPECT_GT(placed->high, 1.06);
  EXPECT_GT(alone->low, 1.019);
  EXPECT_LT(alone->high, 1.051);
}

TEST(DrawsTest, IndependentBlocksKeepTheirIntervalAndOneDrawSaysNothing) {
  std::mt19937_64 random(5);
  std::lognormal_distribution<double> noise(0, 0.02);
  double alone = 0, drawn = 0;
  for (int run = 0; run < 200; ++run) {
    std::vector<double> values;
    std::vector<std::size_t> draws;
    for (std::size_t i = 0; i < 40; ++i) {
      values.push_back(noise(random));
      draws.push_back(random() % 12);
    }
    const auto without = compare(ratios(values)), with = compare(ratios(values), draws);
    EXPECT_GE(with->high - with->low, without->high - without->low);
    alone += without->high - without->low;
    drawn += with->high - with->low;
    EXPECT_EQ(*compare(ratios(values), std::vector<std::size_t>(40, 3)), *without);
  }
  EXPECT_LT(drawn, 1.25 * alone);
}

/// Share of runs whose interval covers the truth where each of some places in memory adds an error of its
/// own, as large as the noise of a block.
TEST(DrawsTest, TheIntervalHoldsTheTruthWherePlacesMatter) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> noise(0, 0.01), error(0, 0.015);
  constexpr int runs = 1000;
  int covered = 0, without = 0;
  for (int run = 0; run < runs; ++run) {
    std::vector<double> places, values;
    std::vector<std::size_t> draws;
    while (places.size() < 12) places.push_back(error(random));
    for (std::size_t i = 0; i < 60; ++i) {
      draws.push_back(random() % places.size());
      values.push_back(std::exp(places[draws.back()] + noise(random)));
    }
    const auto with = compare(ratios(values), draws), plain = compare(ratios(values));
    covered += with->low <= 1 && 1 <= with->high;
    without += plain->low <= 1 && 1 <= plain->high;
  }
  EXPECT_GE(covered, runs * 9 / 10);
  EXPECT_LT(without, runs * 8 / 10) << "what this is for";
}

}  // namespace
}  // namespace wb
