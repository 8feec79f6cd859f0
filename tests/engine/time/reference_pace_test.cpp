// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/cross_checks/reference_pace.h"

#include <gmock/gmock.h>

namespace wb {
namespace {

using testing::HasSubstr;

CaseTiming timed(const std::string& time, double reference) {
  CaseTiming timing;
  timing.time = time;
  timing.reference = reference;
  return timing;
}

TEST(ReferencePace, WhatTakesAsLongAsBeforeIsNotSlowed) {
  EXPECT_EQ(slowedSince(timed("kernel", 13e-6), {13e-6, 14e-6}, {13.5e-6, 13.5e-6}).words, "");
  EXPECT_EQ(slowedSince(timed("step", 12e-6), {13e-6, 14e-6}, {12e-6, 12e-6}).words, "");
  // A microsecond is the device's own.
  EXPECT_EQ(slowedSince(timed("kernel", 2e-6), {1.4e-6, 1.4e-6}, {2.4e-6, 2.4e-6}).words, "");
  // A call holds the host's part of it as well.
  EXPECT_EQ(slowedSince(timed("call", 90e-6), {13e-6, 14e-6}, {13e-6, 13e-6}).words, "");
}

TEST(ReferencePace, GapsThatABusyHostMakesAreNoSlowness) {
  EXPECT_EQ(slowedSince(timed("step", 13e-6), {5e-6, 14.7e-6}, {5.2e-6, 5.2e-6}).words, "");
  // Where the headline holds gaps, they were there before.
  EXPECT_EQ(slowedSince(timed("kernel", 21.5e-6), {5e-6, 14.7e-6}, {5.2e-6, 5.2e-6}).words, "");
}

TEST(ReferencePace, WhatIsSlowerBesideTheKernelIsSaidWithBothTimes) {
  const SlowedReference slowed = slowedSince(timed("kernel", 13e-6), {13e-6, 14e-6}, {71e-6, 72e-6});
  EXPECT_TRUE(slowed.isStill);
  EXPECT_EQ(slowed.words,
            "the reference takes 71.0 µs beside this kernel, and took 13.0 µs before its code was loaded");
}

TEST(ReferencePace, WhatIsSlowedWhileItIsTimedAloneMayBeOthers) {
  const SlowedReference slowed = slowedSince(timed("step", 71e-6), {13e-6, 14e-6}, {13e-6, 15e-6});
  EXPECT_THAT(slowed.words, HasSubstr("takes 71.0 µs"));
  EXPECT_FALSE(slowed.isStill);
  EXPECT_TRUE(slowedSince(timed("step", 71e-6), {13e-6, 14e-6}, {13e-6, 60e-6}).isStill);
}

TEST(ReferencePace, WithoutRecordsRightAfterTheHeadlineCounts) {
  const SlowedReference slowed = slowedSince(timed("kernel", 71e-6), {13e-6, 14e-6}, {});
  EXPECT_THAT(slowed.words, HasSubstr("takes 71.0 µs"));
  EXPECT_TRUE(slowed.isStill);
}

}  // namespace
}  // namespace wb
