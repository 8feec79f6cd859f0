// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/cross_checks/after_the_clock.h"

#include <gmock/gmock.h>

namespace wb {
namespace {

constexpr double claimed = 2e-5;

Moment workedUntil(double at) {
  return {at, at, 0};
}

/// What is said of samples that return so long after their clock has stopped, and are left so long after it.
std::string said(double returning, double leaving, int samples = 20, int interrupted = 0) {
  AfterTheClock after;
  for (int i = 0; i < samples; ++i) {
    const double at = 1 + i, late = i < interrupted ? 1e-2 : 0;
    after.stopped(false, claimed, workedUntil(at), workedUntil(at + 1e-6));
    after.left(false, workedUntil(at + 1e-5));
    after.stopped(true, claimed, workedUntil(at), workedUntil(at + returning + late));
    after.left(true, workedUntil(at + leaving + late));
  }
  return after.words();
}

TEST(AfterTheClock, WhoComesBackAtOnceIsNotNamed) {
  EXPECT_EQ(said(1e-6, 1e-5), "");
  EXPECT_EQ(said(5e-6, 1e-4), "") << "what it has set may take time to be put away";
}

TEST(AfterTheClock, WhoWorksWhereItReturnsIsNamed) {
  EXPECT_EQ(said(4.01e-4, 4.2e-4),
            "each sample of the kernel goes on for 410 µs after its clock has stopped at 20.0 µs");
  EXPECT_THAT(said(1e-6, 4.1e-4), testing::HasSubstr("goes on for 400 µs"));
}

TEST(AfterTheClock, WhoIsInterruptedNowAndThenIsNot) {
  EXPECT_EQ(said(1e-6, 1e-5, 20, 9), "");
  EXPECT_EQ(said(4e-4, 4e-4, 5), "") << "so few may all have been interrupted";
}

TEST(AfterTheClock, WhoWaitsForAProcessorMeanwhileIsNotNamed) {
  for (const bool pauses : {false, true}) {
    AfterTheClock after;
    for (int i = 0; i < 20; ++i) {
      const double at = 1 + i;
      after.stopped(false, claimed, workedUntil(at), workedUntil(at + 1e-6));
      after.left(false, workedUntil(at + 1e-5));
      const Moment later{at + 2e-3, at + 2e-6, pauses ? 1 : 0};
      after.stopped(true, claimed, workedUntil(at), later);
      after.left(true, later);
    }
    EXPECT_EQ(after.words().empty(), !pauses) << "who pauses may let others work for it: " << after.words();
  }
}

TEST(AfterTheClock, AClockThatDoesNotSayWhenItStoppedIsNot) {
  AfterTheClock after;
  for (int i = 0; i < 20; ++i)
    for (const bool candidate : {false, true}) after.left(candidate, workedUntil(i + 1));
  EXPECT_EQ(after.words(), "");
}

}  // namespace
}  // namespace wb
