// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/clocks/apart/outside_clock.h"

#include <gmock/gmock.h>

namespace wb {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

CaseTiming timed(double seconds, int calls, bool hasInterval = true) {
  CaseTiming timing;
  timing.candidate = seconds;
  timing.callsPerSample = calls;
  timing.speedup = {2, hasInterval ? 1.9 : 0, hasInterval ? 2.1 : 0, Pace::faster};
  return timing;
}

OutsideClock onGpu(double reference, double candidate) {
  OutsideClock outside(true);
  for (int i = 0; i < 10; ++i) {
    outside.turned(false, reference);
    outside.turned(true, candidate);
  }
  return outside;
}

TEST(OutsideClock, WhatTheGpuTakesToTurnIsNoWork) {
  const OutsideClock outside = onGpu(160e-6, 190e-6);
  EXPECT_THAT(outside.why(timed(20e-6, 32), 4), IsEmpty());
  EXPECT_EQ(outside.share(timed(20e-6, 32)), 0);
}

TEST(OutsideClock, WhoWorksMeanwhileIsNotScored) {
  EXPECT_THAT(onGpu(160e-6, 800e-6).why(timed(20e-6, 32), 4),
              HasSubstr("works for 640 µs whenever it is let go on, before the clock begins"));
  EXPECT_THAT(onGpu(160e-6, 800e-6).why(timed(20e-6, 32), 4), HasSubstr("or others use the GPU meanwhile"));
  EXPECT_THAT(onGpu(160e-6, 500e-6).why(timed(20e-6, 32), 4), testing::EndsWith("before the clock begins"));
  // Nor is it where nothing is known of the ratio.
  EXPECT_THAT(onGpu(160e-6, 800e-6).why(timed(20e-6, 32, false), 4), HasSubstr("not scored"));
  // Each of its threads takes its time to go on.
  EXPECT_THAT(onGpu(160e-6, 800e-6).why(timed(20e-6, 32), 200), IsEmpty());
  // And it may be little beside the call.
  EXPECT_THAT(onGpu(160e-6, 800e-6).why(timed(20e-3, 1), 4), IsEmpty());
}

TEST(OutsideClock, TheRatioIsKnownNoBetterThanByWhatMayHaveBeenWorked) {
  EXPECT_NEAR(onGpu(160e-6, 260e-6).share(timed(20e-6, 50)), 0.1, 1e-9);
}

TEST(OutsideClock, WhoLeavesWorkForTheReferenceToWaitForIsNotScored) {
  EXPECT_THAT(onGpu(2.1e-3, 170e-6).why(timed(20e-6, 32), 4),
              HasSubstr("something else is at work on the GPU, which the kernel may have left there: the GPU "
                        "turns to the reference's process in 2.10 ms, and to the kernel's in 170 µs"));
  // It may have contexts of its own for that, so that both wait.
  EXPECT_THAT(onGpu(14e-3, 12e-3).why(timed(20e-6, 32), 4), HasSubstr("not scored"));
}

TEST(OutsideClock, TurnsThatAreLongByChanceAreNoWork) {
  OutsideClock outside(true);
  for (int i = 0; i < 10; ++i) {
    outside.turned(false, i < 2 ? 2e-3 : 160e-6);
    outside.turned(true, i < 4 ? 2e-3 : 180e-6);
  }
  EXPECT_THAT(outside.why(timed(20e-6, 32), 4), IsEmpty());
}

TEST(OutsideClock, WhoGoesOnWhenItHasSaidThatItIsDoneIsNotScored) {
  OutsideClock outside = onGpu(160e-6, 190e-6);
  for (int i = 0; i < 10; ++i) {
    outside.turnedBack(false, 170e-6);
    outside.turnedBack(true, 2.2e-3);
  }
  EXPECT_THAT(outside.why(timed(15e-6, 32), 4),
              HasSubstr("the GPU turns back to the judge in 2.20 ms, and after the reference in 170 µs"));
  outside.forget();
  for (int i = 0; i < 10; ++i) {
    outside.turnedBack(false, 170e-6);
    outside.turnedBack(true, 290e-6);
  }
  EXPECT_THAT(outside.why(timed(15e-6, 32), 4), IsEmpty());
  EXPECT_NEAR(outside.share(timed(15e-6, 80)), 0.1, 1e-9);
}

TEST(OutsideClock, OnACpuWhatTheProcessWorkedCounts) {
  OutsideClock outside(false);
  for (int i = 0; i < 10; ++i) outside.worked(400e-6, 20e-6);
  EXPECT_THAT(outside.why(timed(50e-6, 20), 1), HasSubstr("works for 400 µs"));
  // On a busy machine each look takes long; what it has used of a processor does not.
  EXPECT_THAT(outside.why(timed(50e-6, 20, false), 1), IsEmpty());
  outside.forget();
  EXPECT_THAT(outside.why(timed(50e-6, 20), 1), IsEmpty());
}

}  // namespace
}  // namespace wb
