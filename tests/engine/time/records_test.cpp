// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/clocks/records.h"

#include <gmock/gmock.h>

#include "core/engine/time/clocks/graph_batch.h"
#include "core/engine/time/clocks/two_clocks.h"

namespace wb {
namespace {

using testing::HasSubstr;

constexpr std::int64_t markBytes = 4096, endBytes = 31;

ActivityRecord made(ActivityKind kind, double start, double seconds, std::int64_t bytes = 0) {
  ActivityRecord record;
  record.kind = kind;
  record.start = start;
  record.seconds = seconds;
  record.bytes = bytes;
  return record;
}
ActivityRecord mark(double start) {
  return made(ActivityKind::fill, start, 1e-6, markBytes);
}
ActivityRecord end(double start) {
  return made(ActivityKind::fill, start, 1e-6, endBytes);
}
ActivityRecord kernel(double start, double seconds) {
  return made(ActivityKind::kernel, start, seconds);
}

TEST(RecordedCalls, ACallLastsFromItsFirstStartToItsLastEnd) {
  const auto calls = recordedCalls(
      {kernel(0, 1e-6), mark(2e-6), kernel(4e-6, 3e-6), made(ActivityKind::fill, 8e-6, 1e-6, 100), end(9e-6),
       mark(10e-6), kernel(12e-6, 2e-6), end(14e-6)},
      markBytes, endBytes, 2);
  ASSERT_TRUE(calls) << calls.error().text;
  EXPECT_NEAR((*calls)[0].seconds, 5e-6, 1e-12);
  EXPECT_NEAR((*calls)[0].busy, 4e-6, 1e-12);
  EXPECT_EQ((*calls)[0].launches, 2U);
  EXPECT_NEAR((*calls)[1].seconds, 2e-6, 1e-12);
  EXPECT_EQ((*calls)[1].launches, 1U);
}

TEST(RecordedCalls, OverlappingKernelsCountOnce) {
  const auto calls =
      recordedCalls({mark(0), kernel(2e-6, 10e-6), kernel(3e-6, 1e-6), end(12e-6)}, markBytes, endBytes, 1);
  ASSERT_TRUE(calls);
  EXPECT_NEAR((*calls)[0].seconds, 10e-6, 1e-12);
}

TEST(RecordedCalls, RecordsThatAreMissingAreSaid) {
  const auto lost = recordedCalls({mark(0), kernel(2e-6, 1e-6), end(3e-6)}, markBytes, endBytes, 2);
  ASSERT_FALSE(lost);
  EXPECT_THAT(lost.error().text, HasSubstr("of 2 calls the device's records show 1"));
  const auto nothing =
      recordedCalls({mark(0), end(1e-6), mark(2e-6), kernel(4e-6, 1e-6), end(5e-6)}, markBytes, endBytes, 2);
  ASSERT_FALSE(nothing);
  EXPECT_THAT(nothing.error().text, HasSubstr("no record of work"));
  EXPECT_FALSE(recordedCalls({mark(0), kernel(2e-6, 0), end(2e-6)}, markBytes, endBytes, 1))
      << "a record without times";
}

TEST(RecordedCalls, WhatLiesBetweenAnEndAndTheNextMarkIsOurs) {
  const auto calls = recordedCalls({mark(0), kernel(2e-6, 3e-6), end(5e-6), kernel(6e-6, 9e-6), mark(16e-6),
                                    kernel(18e-6, 1e-6), end(19e-6), kernel(20e-6, 9e-6)},
                                   markBytes, endBytes, 2);
  ASSERT_TRUE(calls) << calls.error().text;
  EXPECT_NEAR((*calls)[0].seconds, 3e-6, 1e-12);
  EXPECT_NEAR((*calls)[1].seconds, 1e-6, 1e-12);
}

TEST(RecordedCalls, AnEndThatIsNotOursAndWorkOnAnotherStreamAfterTheEndHideNothing) {
  EXPECT_FALSE(recordedCalls({mark(0), kernel(1e-6, 1e-6), end(2e-6), kernel(4e-6, 9e-6), end(14e-6)},
                             markBytes, endBytes, 1));
  ActivityRecord late = kernel(6e-6, 9e-6);
  late.stream = 13;
  const auto calls = recordedCalls({mark(0), kernel(2e-6, 3e-6), end(5e-6), late}, markBytes, endBytes, 1);
  ASSERT_TRUE(calls);
  EXPECT_NEAR((*calls)[0].seconds, 13e-6, 1e-12);
}

TEST(RecordedCalls, WorkOnAnotherStreamThatBeganBeforeTheMarkIsNamed) {
  ActivityRecord early = kernel(1e-6, 20e-6);
  early.stream = 13;
  early.function = "_Z4minePKfPfi";
  const auto calls = recordedCalls({mark(0), kernel(2e-6, 1e-6), end(3e-6), early, mark(4e-6), end(5e-6)},
                                   markBytes, endBytes, 2);
  ASSERT_FALSE(calls);
  EXPECT_EQ(calls.error().text, "works on another stream (mine): its time would not be measured");
}

TEST(TickOf, IsTheSmallestStepBetweenDifferentTimes) {
  EXPECT_NEAR(tickOf({4.608e-6, 4.640e-6, 4.608e-6, 4.736e-6}), 32e-9, 1e-12);
  EXPECT_NEAR(tickOf({5e-6, 6.024e-6, 5e-6 + 1e-9}), 1.024e-6, 2e-9) << "rounding to nanoseconds is no tick";
  EXPECT_EQ(tickOf({5e-6, 5e-6}), 0);
  EXPECT_EQ(tickOf({}), 0);
}

TEST(TwoClocks, AgreeWithinATickAndTwoPercentElseThereIsAReason) {
  EXPECT_EQ(whyClocksDiffer({10e-6, 10.2e-6, 32e-9}), "");
  EXPECT_EQ(whyClocksDiffer({1e-6, 1.05e-6, 32e-9}), "");
  EXPECT_EQ(whyClocksDiffer({0, 1e-6, 32e-9}), "") << "one is not known";
  EXPECT_NE(whyClocksDiffer({10e-6, 10.4e-6, 32e-9}), "");
  EXPECT_NE(whyClocksDiffer({10e-6, 9.6e-6, 32e-9}), "");
  EXPECT_THAT(whyClocksDiffer({10e-6, 8e-6, 32e-9, 3}), HasSubstr("farther apart"));
  EXPECT_THAT(whyClocksDiffer({10e-6, 12e-6, 32e-9}), HasSubstr("2.00 µs more of this kernel's launch"));
}

TEST(Slope, ConstantsCancel) {
  EXPECT_NEAR(slope(5e-6 + 100 * 2e-6, 5e-6 + 200 * 2e-6, 100), 2e-6, 1e-12);
  EXPECT_GT(slope(10e-6, 9e-6, 4), 0) << "noise larger than the calls";
}

}  // namespace
}  // namespace wb
