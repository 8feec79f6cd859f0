// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "core/model/pace.h"
#include "tests/engine/time/fake_clock.h"

namespace wb {
namespace {

using testing::HasSubstr;

TEST(TimeCase, EqualKernelsAreNeverCalledFasterOrSlower) {
  int covered = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    auto clock = noisy(50e-6, 50e-6, 0.05, seed);
    auto timing = timed(clock, {}, seed);
    ASSERT_TRUE(timing) << timing.error().text;
    EXPECT_NE(timing->speedup.pace, Pace::faster) << seed;
    EXPECT_NE(timing->speedup.pace, Pace::slower) << seed;
    covered += timing->speedup.low <= 1 && 1 <= timing->speedup.high ? 1 : 0;
  }
  EXPECT_GE(covered, 90);
}

TEST(TimeCase, AKernelOfHalfTheTimeIsTwiceAsFast) {
  auto clock = noisy(80e-6, 40e-6, 0.03, 1);
  auto timing = timed(clock);
  ASSERT_TRUE(timing);
  EXPECT_NEAR(timing->speedup.ratio, 2, 0.02);
  EXPECT_EQ(timing->speedup.pace, Pace::faster);
  EXPECT_NEAR(timing->reference, 80e-6, 2e-6);
  EXPECT_NEAR(timing->candidate, 40e-6, 1e-6);
  EXPECT_LE((timing->speedup.high - timing->speedup.low) / 2 / timing->speedup.ratio, 0.005);
  EXPECT_EQ(timing->note, "");
}

TEST(TimeCase, ASlowerKernelIsCalledSlower) {
  auto clock = noisy(40e-6, 50e-6, 0.01, 1);
  auto timing = timed(clock);
  ASSERT_TRUE(timing);
  EXPECT_EQ(timing->speedup.pace, Pace::slower);
}

TEST(TimeCase, ADriftingClockCancels) {
  FakeClock clock(
      [](bool, double now) -> Result<double> { return 50e-6 * (1 + (now - 100) * 2); });  // +200 % a second
  TimingPlan plan;
  plan.capSeconds = 0.3;
  auto timing = timed(clock, plan);
  ASSERT_TRUE(timing);
  EXPECT_NEAR(timing->speedup.ratio, 1, 1e-3);
  EXPECT_EQ(timing->speedup.pace, Pace::same);
}

TEST(TimeCase, BlocksAreInterleavedInTheOrderTheySay) {
  auto clock = noisy(50e-6, 50e-6, 0.05, 3);
  auto timing = timed(clock);
  ASSERT_TRUE(timing);
  ASSERT_GE(timing->blocks.size(), 12U);
  const std::size_t before = clock.taken.size() - 4 * timing->blocks.size();
  bool plain = false, mirrored = false;
  for (std::size_t i = 0; i < timing->blocks.size(); ++i) {
    const bool first = timing->blocks[i].mirrored;
    const auto* taken = &clock.taken[before + 4 * i];
    EXPECT_EQ(taken[0].candidate, first);
    EXPECT_EQ(taken[1].candidate, !first);
    EXPECT_EQ(taken[2].candidate, !first);
    EXPECT_EQ(taken[3].candidate, first);
    (first ? mirrored : plain) = true;
  }
  EXPECT_TRUE(plain);
  EXPECT_TRUE(mirrored);
}

TEST(TimeCase, BothSidesMeetAllInputSets) {
  auto clock = noisy(50e-6, 50e-6, 0.05, 3);
  ASSERT_TRUE(timed(clock));
  std::array<std::array<int, 4>, 2> met{};
  for (const auto& taken : clock.taken) ++met[taken.candidate ? 1 : 0][taken.first];
  for (const auto& side : met)
    for (int count : side) EXPECT_GT(count, static_cast<int>(clock.taken.size()) / 16);
}

TEST(TimeCase, ShortCallsAreBatchedAndLongOnesAreNot) {
  const SampleNeeds needs{10e-6, 200e-6, 256};
  FakeClock quick([](bool, double) -> Result<double> { return 2.1e-6; }, needs);
  auto batched = timed(quick);
  ASSERT_TRUE(batched);
  EXPECT_EQ(batched->callsPerSample, 96);
  EXPECT_EQ(batched->clock, "fake, 96 calls");
  FakeClock slow([](bool, double) -> Result<double> { return 20e-6; }, needs);
  auto single = timed(slow);
  ASSERT_TRUE(single);
  EXPECT_EQ(single->callsPerSample, 1);
  EXPECT_EQ(single->clock, "fake");
  FakeClock tiny([](bool, double) -> Result<double> { return 1e-9; }, needs);
  auto most = timed(tiny);
  ASSERT_TRUE(most);
  EXPECT_EQ(most->callsPerSample, 256);
}

TEST(TimeCase, CallsThatBecomeShorterAreCountedAnew) {
  // It feigns to be slow for as long as calls are counted.
  FakeClock feigned([](bool isCandidate,
                       double now) -> Result<double> { return isCandidate && now > 100.02 ? 2e-6 : 1e-3; },
                    {200e-6, 200e-6, 256});
  auto timing = timed(feigned);
  ASSERT_TRUE(timing) << timing.error().text;
  EXPECT_NEAR(timing->callsPerSample, 100, 1);
  EXPECT_NEAR(timing->candidate, 2e-6, 1e-8);
}

CaseTiming timedWithLikely(FakeClock& clock, int likely, const TimingPlan& plan = {}) {
  const auto reference = fakeCalls(false, 4), candidate = fakeCalls(true, 4);
  Sides sides{reference, candidate};
  sides.likelyCalls = likely;
  auto timing = timeCase(sides, clock, plan, 7, {});
  EXPECT_TRUE(timing) << timing.error().text;
  return timing ? *timing : CaseTiming{};
}

TEST(TimeCase, CallsThatMadeASampleBeforeAreTriedFirst) {
  const SampleNeeds needs{10e-6, 200e-6, 256};
  FakeClock clock([](bool, double) -> Result<double> { return 2.1e-6; }, needs);
  EXPECT_EQ(timedWithLikely(clock, 90).callsPerSample, 90);
  for (const FakeClock::Taken& taken : clock.taken) EXPECT_EQ(taken.calls, 90);
  FakeClock slow([](bool, double) -> Result<double> { return 20e-6; }, needs);
  EXPECT_EQ(timedWithLikely(slow, 1).callsPerSample, 1);
}

TEST(TimeCase, ARoughTimeOfAFewMillisecondsTakesNoLongerWhereACaseComesAgain) {
  TimingPlan plan;
  plan.capSeconds = 8e-3;
  plan.targetHalfWidth = 0.02;
  const SampleNeeds needs{1e-3, 1e-3, 4096};
  const auto taken = [&](int likely) {
    FakeClock clock([](bool, double) -> Result<double> { return 10e-6; }, needs);
    const CaseTiming timing = timedWithLikely(clock, likely, plan);
    EXPECT_EQ(timing.callsPerSample, 100);
    EXPECT_EQ(timing.blocks.size(), likely > 0 ? 2U : 3U);
    return clock.taken.size();
  };
  EXPECT_EQ(taken(100), 10U) << "two to try them, and two blocks";
  EXPECT_GT(taken(0), 15U);
}

TEST(TimeCase, CallsThatMakeNoSampleAnyMoreAreCountedAnew) {
  const SampleNeeds needs{10e-6, 200e-6, 256};
  for (const int likely : {1, 20, 257, 100000}) {
    FakeClock clock([](bool, double) -> Result<double> { return 2.1e-6; }, needs);
    EXPECT_EQ(timedWithLikely(clock, likely).callsPerSample, 96) << likely;
  }
  FakeClock slower([](bool, double) -> Result<double> { return 20e-6; }, needs);
  EXPECT_EQ(timedWithLikely(slower, 90).callsPerSample, 1);
  // One side alone is slow, and the other's samples are as long as before.
  FakeClock apart([](bool isCandidate, double) -> Result<double> { return isCandidate ? 1e-3 : 2.1e-6; },
                  needs);
  EXPECT_EQ(timedWithLikely(apart, 90).callsPerSample, 90);
}

TEST(TimeCase, CallsThatAreAlwaysLongerWhenTheyAreCountedHaveNoTime) {
  const FakeClock* self = nullptr;
  FakeClock feigned(
      [&](bool isCandidate, double) -> Result<double> {
        // As long as samples of so many calls are new it is slow.
        std::size_t same = 0;
        const auto& taken = self->taken;
        while (same < taken.size() && taken[taken.size() - 1 - same].calls == taken.back().calls) ++same;
        return isCandidate && same > 30 ? 2e-5 / taken.back().calls : 1e-4;
      },
      {200e-6, 200e-6, 100000});
  self = &feigned;
  auto timing = timed(feigned);
  ASSERT_FALSE(timing);
  EXPECT_THAT(timing.error().text, HasSubstr("was longer whenever it was tried"));
}

TEST(TimeCase, ABatchThatTheClockMakesItselfIsUsedAndEnded) {
  FakeClock clock([](bool, double) -> Result<double> { return 2e-6; }, {10e-6, 200e-6, 256});
  clock.batches = true;
  auto timing = timed(clock);
  ASSERT_TRUE(timing);
  EXPECT_EQ(timing->callsPerSample, 100);
  EXPECT_EQ(clock.ended, 1);
  EXPECT_EQ(timing->note, "");
}

TEST(TimeCase, ABatchThatCannotBeMadeIsDoneByHandAndSaid) {
  FakeClock clock([](bool, double) -> Result<double> { return 2.1e-6; }, {10e-6, 200e-6, 256});
  clock.noBatch = "not in a CUDA graph: candidate: it waits for the device";
  auto timing = timed(clock);
  ASSERT_TRUE(timing);
  EXPECT_EQ(timing->callsPerSample, 96);
  EXPECT_THAT(timing->note, HasSubstr("not in a CUDA graph: candidate: it waits for the device"));
}

TEST(TimeCase, TheClockChoosesItsWayForLongCallsToo) {
  FakeClock clock([](bool, double) -> Result<double> { return 300e-6; }, {10e-6, 200e-6, 256});
  clock.batches = true;
  auto timing = timed(clock);
  ASSERT_TRUE(timing);
  EXPECT_EQ(timing->callsPerSample, 1);
  EXPECT_EQ(clock.batched, 1);
  EXPECT_EQ(timing->note, "");
}

TEST(TimeCase, TheHeadlineSaysWhichTimeItIsAndTheOthersStandBesideIt) {
  FakeClock clock([](bool candidate, double) -> Result<double> { return candidate ? 40e-6 : 50e-6; });
  clock.saysItMeans = {"kernel", CacheState::cold, 32e-9, 1.2e-6};
  clock.otherTimes.kernelHot = {30e-6, 15e-6};
  clock.otherTimes.step = {0, 20e-6};
  clock.otherTimes.call = {60e-6, 70e-6};
  clock.otherTimes.events = {51e-6, 41e-6};
  clock.otherTimes.disagree = "why";
  clock.otherTimes.note = "said of the others";
  clock.hostSeconds = 4e-6;
  auto timing = timed(clock);
  ASSERT_TRUE(timing);
  EXPECT_EQ(timing->time, "kernel");
  EXPECT_EQ(timing->caches, CacheState::cold);
  EXPECT_EQ(timing->tick, 32e-9);
  EXPECT_EQ(timing->empty, 1.2e-6);
  EXPECT_EQ(timing->kernel, (BothSides{50e-6, 40e-6})) << "the headline itself";
  EXPECT_EQ(timing->kernelHot, (BothSides{30e-6, 15e-6}));
  EXPECT_EQ(timing->step, (BothSides{25e-6, 20e-6}));
  EXPECT_EQ(timing->call, (BothSides{60e-6, 70e-6}));
  EXPECT_EQ(timing->events, (BothSides{51e-6, 41e-6}));
  EXPECT_EQ(timing->disagree, "why");
  EXPECT_EQ(timing->host, (BothSides{4e-6, 4e-6}));
  EXPECT_THAT(timing->note, HasSubstr("said of the others"));
}

TEST(TimeCase, AShortLimitHasNoRoomForTheOtherTimes) {
  auto clock = noisy(50e-6, 50e-6, 0.05, 3);
  TimingPlan plan;
  plan.capSeconds = 0.02;
  ASSERT_TRUE(timed(clock, plan));
  EXPECT_EQ(clock.othersBudget, 0) << "the host's alone, which costs next to nothing";
  plan.capSeconds = 0.25;
  ASSERT_TRUE(timed(clock, plan));
  EXPECT_DOUBLE_EQ(clock.othersBudget, 0.025);
}

TEST(TimeCase, AnIntervalIsNoNarrowerThanATickOfTheClock) {
  for (const bool isShort : {true, false}) {
    const double seconds = isShort ? 2e-6 : 200e-6;
    FakeClock clock(
        [=](bool candidate, double) -> Result<double> { return candidate ? seconds : 2 * seconds; },
        {1e-9, 1e-9, 256});
    clock.saysItMeans.tick = 32e-9;
    auto timing = timed(clock);
    ASSERT_TRUE(timing);
    const double share = 32e-9 * std::hypot(1 / seconds, 1 / (2 * seconds));
    EXPECT_NEAR(timing->speedup.low, 2 / (1 + share), 1e-9);
    EXPECT_NEAR(timing->speedup.high, 2 * (1 + share), 1e-9);
    EXPECT_EQ(timing->speedup.pace, Pace::faster);
    EXPECT_EQ(timing->note, "") << "it is not what more blocks would mend";
  }
}

TEST(TimeCase, ShortCallsAreNotTimedMoreFinelyThanAQuarterOfATick) {
  std::array<std::size_t, 2> blocks{};
  for (const bool rounded : {false, true}) {
    auto clock = noisy(1.28e-6, 1.28e-6, 0.03, 5);
    clock.saysItMeans.callTick = rounded ? 32e-9 : 0;
    auto timing = timed(clock);
    ASSERT_TRUE(timing);
    EXPECT_EQ(timing->note, "");
    const double halfWidth = (timing->speedup.high - timing->speedup.low) / 2;
    EXPECT_LE(halfWidth, rounded ? 0.25 * 32 / 1280 * 1.1 : 0.005);
    blocks[rounded ? 1 : 0] = timing->blocks.size();
  }
  EXPECT_LT(blocks[1], blocks[0]);
}

TEST(TimeCase, ATickIsSmallInASampleOfManyCalls) {
  FakeClock clock([](bool, double) -> Result<double> { return 2e-6; }, {10e-6, 200e-6, 256});
  clock.batches = true;
  clock.saysItMeans.tick = 32e-9;
  auto timing = timed(clock);
  ASSERT_TRUE(timing);
  ASSERT_EQ(timing->callsPerSample, 100);
  EXPECT_NEAR(timing->speedup.high, 1 + std::sqrt(2) * 32e-9 / 200e-6, 1e-9);
}

/// Where each set lies in memory makes it take a little more or less, of either side by itself: more blocks
/// of the same few sets do not tell it any better.
TEST(TimeCase, TheIntervalHoldsTheTruthWhereMemoryMatters) {
  int covered = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> spread(0, 0.006), little(0, 0.003);
    std::array<std::array<double, 12>, 2> places{};
    for (auto& side : places)
      for (double& place : side) place = spread(random);
    FakeClock clock([](bool, double) -> Result<double> { return 50e-6; });
    clock.staysInPlace = true;
    clock.placed = [&](bool candidate, std::size_t set) {
      return std::exp(places[candidate ? 1 : 0][set] + little(random));
    };
    const auto reference = fakeCalls(false, 12), candidate = fakeCalls(true, 12);
    const auto timing = timeCase({reference, candidate}, clock, {}, seed, {});
    ASSERT_TRUE(timing);
    covered += timing->speedup.low <= 1 && 1 <= timing->speedup.high ? 1 : 0;
  }
  EXPECT_GE(covered, 90);
}

TEST(TimeCase, OnACpuTheHeadlineIsTheCall) {
  FakeClock clock([](bool, double) -> Result<double> { return 50e-6; });
  auto timing = timed(clock);
  ASSERT_TRUE(timing);
  EXPECT_EQ(timing->time, "call");
  EXPECT_EQ(timing->caches, CacheState::unknown);
  EXPECT_EQ(timing->call, (BothSides{50e-6, 50e-6}));
  EXPECT_EQ(timing->kernel, BothSides{});
}

TEST(TimeCase, EachSampleIsTakenInItsSidesState) {
  std::string entered;
  auto clock = noisy(80e-6, 40e-6, 0.03, 1);
  const auto reference = fakeCalls(false, 4), candidate = fakeCalls(true, 4);
  const auto timing =
      timeCase({reference, candidate, [&](bool side) { entered += side ? 'c' : 'r'; }}, clock, {}, 7, {});
  ASSERT_TRUE(timing);
  std::string expected;
  for (const FakeClock::Taken& taken : clock.taken) expected += taken.candidate ? "cr" : "r";
  EXPECT_EQ(entered, expected);
}

TEST(TimeCase, TheCapIsKeptAndSaid) {
  auto clock = noisy(1e-3, 1e-3, 0.5, 4);
  TimingPlan plan;
  plan.capSeconds = 0.25;
  auto timing = timed(clock, plan);
  ASSERT_TRUE(timing);
  EXPECT_LT(clock.now() - 100, 0.25 + 0.05);
  EXPECT_THAT(timing->note, HasSubstr("reached the cap"));
  EXPECT_THAT(timing->note, HasSubstr("±"));
  EXPECT_FALSE(timing->blocks.empty());
}

TEST(TimeCase, ACallLongerThanTheCapIsStillTimedOnce) {
  FakeClock clock([](bool, double) -> Result<double> { return 3.0; });
  auto timing = timed(clock);
  ASSERT_TRUE(timing);
  EXPECT_EQ(timing->blocks.size(), 1U);
  EXPECT_EQ(timing->reference, 3.0);
  EXPECT_THAT(timing->note, HasSubstr("reached the cap"));
}

TEST(TimeCase, WarmUpLastsUntilTimesAreSteady) {
  int samples = 0;
  FakeClock clock(
      [&](bool, double) -> Result<double> { return 50e-6 * (1 + 4 * std::exp(-samples++ / 25.0)); });
  auto timing = timed(clock);
  ASSERT_TRUE(timing);
  EXPECT_GE(timing->warmups, 20);
  for (const Block& block : timing->blocks) EXPECT_LT(block.reference[0], 52e-6);
}

TEST(TimeCase, AStopBeforeTheFirstBlockIsAnError) {
  std::stop_source source;
  source.request_stop();
  auto clock = noisy(50e-6, 50e-6, 0.05, 3);
  auto timing = timed(clock, {}, 7, source.get_token());
  ASSERT_FALSE(timing);
  EXPECT_EQ(timing.error().stage, Stage::time);
}

TEST(TimeCase, AStopLaterKeepsWhatThereIs) {
  std::stop_source source;
  int samples = 0;
  FakeClock clock([&, random = std::mt19937_64(1)](bool, double) mutable -> Result<double> {
    if (++samples == 200) source.request_stop();
    return 50e-6 * (1 + static_cast<double>(random() % 1000) / 1000);
  });
  auto timing = timed(clock, {}, 7, source.get_token());
  ASSERT_TRUE(timing);
  EXPECT_LE(samples, 204);
  EXPECT_THAT(timing->note, HasSubstr("stopped after"));
}

TEST(TimeCase, TimesThatAreNotPositiveAreErrors) {
  for (double bad :
       {0.0, -1e-6, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    int samples = 0;
    FakeClock clock([&](bool, double) -> Result<double> { return ++samples > 40 ? bad : 50e-6; });
    auto timing = timed(clock);
    ASSERT_FALSE(timing) << bad;
    EXPECT_THAT(timing.error().text, HasSubstr("not a time"));
  }
}

TEST(TimeCase, WhatACallSaysComesBack) {
  int samples = 0;
  FakeClock clock([&](bool, double) -> Result<double> {
    if (++samples > 30) return Error{Stage::check, "CUDA_ERROR_ILLEGAL_ADDRESS"};
    return 50e-6;
  });
  auto timing = timed(clock);
  ASSERT_FALSE(timing);
  EXPECT_EQ(timing.error().text, "CUDA_ERROR_ILLEGAL_ADDRESS");
}

TEST(TimeCase, NothingToTimeIsAnError) {
  FakeClock clock([](bool, double) -> Result<double> { return 1e-3; });
  const auto some = fakeCalls(false, 1);
  EXPECT_FALSE(timeCase({some, {}}, clock, {}, 0, {}));
  EXPECT_FALSE(timeCase({{}, some}, clock, {}, 0, {}));
}

TEST(TimeCase, TheSameSeedDrawsTheSameOrder) {
  auto once = noisy(50e-6, 50e-6, 0.02, 3), again = noisy(50e-6, 50e-6, 0.02, 3);
  auto first = timed(once, {}, 11), second = timed(again, {}, 11);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*first, *second);
}

}  // namespace
}  // namespace wb
