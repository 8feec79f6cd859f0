// SPDX-License-Identifier: Apache-2.0
// How a job is shared among places of different speeds, by a clock of the test's own.
#include "core/run/dealer.h"

#include <gmock/gmock.h>

#include "tests/core/run/run_steps.h"
#include "tests/core/run/simulated_cluster.h"

namespace wb {
namespace {

using testing::Each;
using testing::IsEmpty;
using testing::Pair;

double oneSecond(const Step& /*step*/) {
  return 1;
}
/// From a half to two and a half seconds.
double different(const Step& step) {
  return 0.5 + static_cast<double>((step.index * 2654435761U) >> 24U) / 128;
}

/// Each case has one verdict, and the end comes at most 10 % after the best possible.
void expectGood(Cluster& cluster, std::size_t cases) {
  const double took = cluster.run();
  EXPECT_LE(took, 1.1 * cluster.best()) << cluster.pieces() << " pieces";
  EXPECT_EQ(cluster.verdicts().size(), cases);
  EXPECT_THAT(cluster.verdicts(), Each(Pair(testing::_, 1)));
}

TEST(Dealer, EqualPlacesEndTogether) {
  for (const std::size_t places : {3U, 64U}) {
    Cluster cluster(jobOf({1200}), std::vector<double>(places, 1), different);
    expectGood(cluster, 1200);
  }
}

TEST(Dealer, ASlowPlaceGetsTheSmallRest) {
  for (const double speed : {0.5, 0.1, 0.03}) {
    SCOPED_TRACE(speed);
    Cluster cluster(jobOf({300}), {1, 1, speed, 1}, oneSecond);
    expectGood(cluster, 300);
  }
}

TEST(Dealer, WithTimesASlowPlaceKeepsNobodyWaiting) {
  Cluster cluster(jobOf({300}, true), {1, 0.1, 1}, different);
  expectGood(cluster, 300);
  EXPECT_EQ(counts(cluster.report()).timed, 300);
}

TEST(Dealer, PlacesOfAllSpeedsShareByThem) {
  Cluster cluster(jobOf({800}), {1, 2, 3, 4, 5, 6, 7, 8}, different);
  expectGood(cluster, 800);
  EXPECT_GT(cluster.stepsOf(7), 5 * cluster.stepsOf(0));
}

TEST(Dealer, OfManyKernelsTheLargeOnesAreCutWhereThatIsNeeded) {
  std::vector<std::uint32_t> sizes(100, 5);
  sizes[42] = 500;
  Cluster cluster(jobOf(sizes), {1, 1, 1, 1}, oneSecond);
  expectGood(cluster, 99 * 5 + 500);
}

TEST(Dealer, ManyKernelsGoAroundASlowPlace) {
  Cluster cluster(jobOf(std::vector<std::uint32_t>(400, 6)), {1, 1, 1, 0.1, 1, 1, 1, 1}, different);
  expectGood(cluster, 2400);
}

TEST(Dealer, TheLastCaseOfASlowPlaceIsGivenToAnotherAsWell) {
  // It is at a case that takes it a thousand seconds when all else is done.
  const auto seconds = [](const Step& step) { return step.index == 59 ? 30.0 : 1.0; };
  Cluster cluster(jobOf({60}), {0.03, 1}, seconds);
  EXPECT_LE(cluster.run(), 1.5 * cluster.best());
  EXPECT_THAT(cluster.verdicts(), Each(Pair(testing::_, 1)));
  EXPECT_EQ(cluster.verdicts().size(), 60U);
}

TEST(Dealer, TheFirstCaseOfAPlaceThatIsStuckIsGivenToAnotherAsWell) {
  // It has never shown how fast it is, and all else is done long before it ends.
  Cluster cluster(jobOf({60}), {0.001, 1, 1}, oneSecond);
  EXPECT_LE(cluster.run(), 1.5 * cluster.best());
  EXPECT_THAT(cluster.verdicts(), Each(Pair(testing::_, 1)));
  EXPECT_EQ(cluster.verdicts().size(), 60U);
}

TEST(Dealer, WhereLoadingAKernelTakesLongPiecesAreFewer) {
  constexpr std::uint32_t cases = 8000;
  constexpr std::size_t places = 8;
  constexpr Cluster::Costs none{1, 0}, dear{1, 0.1};
  const auto brief = [](const Step& step) { return 0.02 * different(step); };
  Cluster quick(jobOf({cases}), std::vector<double>(places, 1), brief, none);
  Cluster loading(jobOf({cases}), std::vector<double>(places, 1), brief, dear);
  const double took = quick.run(), tookLoading = loading.run();
  const double best = none.compile + quick.best();  // while it is compiled nobody can begin
  EXPECT_LE(took, 1.01 * best);
  EXPECT_LE(tookLoading, 1.04 * best) << loading.pieces() << " pieces";
  EXPECT_LT(loading.pieces(), quick.pieces());
  EXPECT_EQ(loading.verdicts().size(), cases);
}

TEST(Dealer, OnePlaceAloneGetsAllInOnePiece) {
  Cluster cluster(jobOf({40, 40}, true), {1}, oneSecond);
  EXPECT_EQ(cluster.run(), 160);
  EXPECT_EQ(cluster.pieces(), 1);
}

TEST(Portions, CutKernelsLast) {
  const CaseCounts counts{3, 10, std::nullopt};
  const JobWork work{false,
                     {{.kernel = 0, .stages = {{Stage::check}}},
                      {.kernel = 1, .stages = {{Stage::check}, {Stage::time}}},
                      {.kernel = 2, .stages = {{Stage::check}}}}};
  EXPECT_EQ(casesIn(work, counts), 14U);
  const Portions some = cutOff(work, 5, counts);
  EXPECT_EQ(text(some.now), "0: check");
  EXPECT_EQ(text(some.later), "1: check, time; 2: check");
  const Portions cut = cutOff(some.later, 4, counts);
  EXPECT_EQ(text(cut.now), "1: check 0 1 2 3, time 0 1 2 3");
  EXPECT_EQ(text(cut.later), "1: check 4 5 6 7 8 9, time 4 5 6 7 8 9; 2: check");
  EXPECT_THAT(cutOff(work, 100, counts).later.kernels, IsEmpty());
}

TEST(Portions, AKernelThatIsProfiledStaysWhole) {
  const CaseCounts counts{10};
  const JobWork work{false, {{.kernel = 0, .stages = {{Stage::check}, {Stage::profile}}}}};
  EXPECT_THAT(cutOff(work, 2, counts).later.kernels, IsEmpty());
}

TEST(Portions, TakeOneCaseOut) {
  const JobWork work{
      true,
      {{.kernel = 1, .compiled = true, .stages = {{Stage::check, {{5, 6}}}, {Stage::time, {{4, 5, 6}}}}},
       {.kernel = 2, .stages = {{Stage::check}}}}};
  const Portions portions = takeOut(work, 1, 5);
  EXPECT_EQ(text(portions.now), "1*: check 5, time 5");
  EXPECT_EQ(text(portions.later), "1*: check 6, time 4 6; 2: check");
}

TEST(Faults, APlaceThatFailsTwiceIsOutAndOthersAreNot) {
  Faults faults(3);
  faults.note(1, 0);
  EXPECT_FALSE(faults.isOut(1));
  faults.note(1, 4);
  EXPECT_TRUE(faults.isOut(1));
  EXPECT_FALSE(faults.isOut(0));
}

TEST(Faults, WhatAKernelDoesEverywhereIsNoFaultOfAPlace) {
  Faults faults(2);
  faults.note(0, 7);
  faults.note(0, 7);
  EXPECT_TRUE(faults.isOut(0));
  faults.note(1, 7);
  EXPECT_FALSE(faults.isOut(0));
}

TEST(Faults, ThatAPlaceWasOutOfReachIsOverWhenItHasDoneSomething) {
  Faults faults(2);
  faults.note(0, std::nullopt);
  faults.noteDone(0);
  faults.note(0, std::nullopt);
  EXPECT_FALSE(faults.isOut(0));
  faults.note(0, std::nullopt);
  EXPECT_TRUE(faults.isOut(0));
}

TEST(Faults, TheLastPlaceIsNeverOut) {
  Faults faults(2);
  for (const std::size_t place : {0U, 0U, 1U, 1U}) faults.note(place, std::nullopt);
  EXPECT_FALSE(faults.isOut(0));
  EXPECT_FALSE(faults.isOut(1));
  faults.noteDone(1);
  EXPECT_TRUE(faults.isOut(0));
  faults.noteFailure(1);
  EXPECT_FALSE(faults.isOut(0));
}

}  // namespace
}  // namespace wb
