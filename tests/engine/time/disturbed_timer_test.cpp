// SPDX-License-Identifier: Apache-2.0
// Timing on a machine whose clock changes or that does other work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/model/pace.h"
#include "tests/engine/time/fake_clock.h"

namespace wb {
namespace {

using testing::HasSubstr;

TEST(TimeCase, WarmUpAlsoWaitsForTheClockOfTheDevice) {
  FakeClock clock([](bool, double) -> Result<double> { return 50e-6; });
  clock.hertz = [](double now) { return std::min(345e6 + (now - 100) * 1e11, 1980e6); };
  auto timing = timed(clock);
  ASSERT_TRUE(timing);
  // 16 ms of climbing at 0.2 ms a block.
  EXPECT_GT(timing->warmups, 70);
  EXPECT_EQ(timing->dropped, 0);
  ASSERT_EQ(timing->conditions.size(), timing->blocks.size());
  EXPECT_EQ(timing->conditions.front().smHertz, 1980e6);
}

TEST(TimeCase, ADeviceThatHasJustWorkedNeedsTwoBlocksToWarmUp) {
  FakeClock clock([](bool, double) -> Result<double> { return 50e-6; });
  ASSERT_EQ(timed(clock)->warmups, 8);
  EXPECT_EQ(timed(clock)->warmups, 2);
  clock.sleep(5);
  EXPECT_EQ(timed(clock)->warmups, 8);
}

TEST(TimeCase, BlocksInWhichTheClockChangedAreLeftOut) {
  int looks = 0;
  FakeClock clock([](bool, double) -> Result<double> { return 50e-6; });
  clock.hertz = [&](double) { return looks++ == 12 ? 1500e6 : 1980e6; };  // one block slower, and back
  auto timing = timed(clock);
  ASSERT_TRUE(timing);
  EXPECT_EQ(timing->dropped, 2);
  EXPECT_EQ(timing->blocks.size(), timing->conditions.size());
  EXPECT_EQ(timing->blocks.size() + 2, 12U);
  EXPECT_EQ(timing->note, "");
}

TEST(TimeCase, AClockThatKeepsChangingIsSaidAndNothingIsLeftOut) {
  FakeClock clock([](bool, double) -> Result<double> { return 50e-6; });
  int looks = 0;
  clock.hertz = [&](double) { return ++looks % 2 == 0 ? 1500e6 : 1980e6; };
  clock.throttle = "power cap";
  auto timing = timed(clock);
  ASSERT_TRUE(timing);
  EXPECT_EQ(timing->dropped, 0);
  EXPECT_EQ(timing->blocks.size(), 12U);
  EXPECT_THAT(timing->note, HasSubstr("throttled by power cap"));
}

TEST(TimeCase, EnergyIsOfEachSideAndOnlyWhereThereIsTimeForIt) {
  for (const double cap : {1.0, 10.0}) {
    auto clock = noisy(50e-6, 100e-6, 0.001, 1);
    clock.watts = 500;
    TimingPlan plan;
    plan.capSeconds = cap;
    auto timing = timed(clock, plan);
    ASSERT_TRUE(timing);
    if (cap < 5) {
      EXPECT_EQ(timing->joules, BothSides{});
    } else {
      EXPECT_NEAR(timing->joules.reference, 500 * 50e-6, 1e-4);
      EXPECT_NEAR(timing->joules.candidate, 500 * 100e-6, 1e-4);
    }
  }
}

TEST(TimeCase, OnABusyMachineThereIsNoInterval) {
  auto clock = noisy(80e-6, 40e-6, 0.03, 1);
  clock.interrupts = [](double) { return 1; };
  auto timing = timed(clock);
  ASSERT_TRUE(timing);
  EXPECT_FALSE(hasInterval(timing->speedup));
  EXPECT_EQ(timing->speedup.pace, Pace::undecided);
  EXPECT_THAT(timing->note, HasSubstr("too noisy: others had the processors"));
}

TEST(TimeCase, WhatWasInterruptedNowAndThenDoesNotCount) {
  // Every sixteenth sample is interrupted and takes ten times as long.
  int samples = 0;
  FakeClock clock([&](bool candidate, double) -> Result<double> {
    return (candidate ? 40e-6 : 80e-6) * (++samples % 16 == 3 ? 10 : 1);
  });
  clock.interrupts = [&](double) { return samples % 16 == 3 ? 1 : 0; };
  auto timing = timed(clock);
  ASSERT_TRUE(timing);
  EXPECT_DOUBLE_EQ(timing->speedup.ratio, 2);
  EXPECT_NEAR(timing->speedup.low, 2, 1e-9);
  EXPECT_NEAR(timing->speedup.high, 2, 1e-9);
  EXPECT_THAT(timing->note, HasSubstr("blocks left out: others had the processors meanwhile"));
}

}  // namespace
}  // namespace wb
