// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/clocks/apart/calls_alone.h"

#include <gmock/gmock.h>

namespace wb {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// A call of softmax's on an H100, from outside; and one of ATen's silu of 20 000 numbers, which is over as
/// soon as it is enqueued.
constexpr EnqueuedCalls softmax{87.6e-6, 12.1e-6, 78.7e-6, 65.9e-6}, silu{12.1e-6, 10.2e-6, 17.6e-6, 4.3e-6};

TEST(CallsAlone, OfTheSameLengthAreRight) {
  EXPECT_THAT(besideEachOther(softmax, softmax), IsEmpty());
  EXPECT_THAT(besideEachOther(silu, softmax), IsEmpty());
  EXPECT_THAT(besideEachOther(softmax, silu), IsEmpty());
}

TEST(CallsAlone, ThatRunBesideEachOtherAreNamed) {
  EXPECT_THAT(
      besideEachOther({23.1e-6, 10.7e-6, 97.9e-6, 84.3e-6}, softmax),
      HasSubstr("one of many takes 23.1 µs, and one that comes alone takes 97.9 µs, 84.3 µs of them after"));
  EXPECT_THAT(besideEachOther({8e-6, 7e-6, 33e-6, 26e-6}, silu), HasSubstr("run beside each other"));
}

TEST(CallsAlone, ThatAreMadeWhenTheyAreWaitedForAreNamed) {
  EXPECT_THAT(besideEachOther({5.8e-6, 4.9e-6, 19.7e-6, 15.9e-6}, silu), HasSubstr("not scored"));
  EXPECT_THAT(besideEachOther({1.5e-6, 1.2e-6, 15.6e-6, 14.9e-6}, silu), HasSubstr("not scored"));
}

TEST(CallsAlone, ThatTakeLongToEnqueueNeedNotWaitForTheDevice) {
  // Many of Python's calls keep the device half idle; one alone takes both.
  EXPECT_THAT(besideEachOther({323.7e-6, 95.4e-6, 347e-6, 189e-6}, softmax), IsEmpty());
  // Colder caches of the host's.
  EXPECT_THAT(besideEachOther({46.8e-6, 41.2e-6, 103e-6, 6.2e-6}, silu), IsEmpty());
  EXPECT_THAT(besideEachOther({317.8e-6, 256.8e-6, 605.5e-6, 10.3e-6}, silu), IsEmpty());
}

TEST(CallsAlone, ThatWaitThemselvesWhenTheyComeAloneAreNamed) {
  EXPECT_THAT(besideEachOther({22.8e-6, 9e-6, 158e-6, 2e-6}, softmax), HasSubstr("run beside each other"));
}

TEST(CallsAlone, OfALongKernelMayFindColderCaches) {
  EXPECT_THAT(besideEachOther({1e-3, 9e-6, 1.14e-3, 1.12e-3}, softmax), IsEmpty());
  EXPECT_THAT(besideEachOther({1e-3, 9e-6, 1.4e-3, 1.39e-3}, softmax), HasSubstr("not scored"));
}

TEST(CallsAlone, TheReferenceShowsWhatAWaitCosts) {
  constexpr EnqueuedCalls slowToWake{60e-6, 9e-6, 97e-6, 85e-6};
  EXPECT_THAT(besideEachOther({20e-6, 9e-6, 66e-6, 52e-6}, slowToWake), IsEmpty());
  EXPECT_THAT(besideEachOther({20e-6, 9e-6, 66e-6, 52e-6}, softmax), HasSubstr("not scored"));
  // To wait for nothing takes long here, too.
  constexpr EnqueuedCalls slowToEnd{60e-6, 58e-6, 90e-6, 30e-6};
  EXPECT_THAT(besideEachOther({20e-6, 9e-6, 60e-6, 48e-6}, slowToEnd), IsEmpty());
}

TEST(CallsAlone, NothingIsSaidWhereOthersAreAtWork) {
  EXPECT_THAT(besideEachOther({20e-6, 9e-6, 190e-6, 170e-6}, {46.3e-6, 23e-6, 180e-6, 160e-6}), IsEmpty());
}

TEST(CallsAlone, NothingIsSaidWhereOthersHoldUpMostOfTheCandidatesAlone) {
  // Seen on an H200 with fifteen runs at once: one alone was no longer than one of many, and the others were.
  EXPECT_THAT(besideEachOther({88.4e-6, 12.1e-6, 77.3e-6, 148e-6}, softmax), IsEmpty());
}

TEST(CallsAlone, WhoHidesThemBehindOtherWorkIsNotScored) {
  EXPECT_THAT(
      besideEachOther({22.5e-6, 16.9e-6, 115.9e-6, 106.6e-6}, {82.3e-6, 14.6e-6, 2.4e-3, 2.35e-3}),
      HasSubstr("something is at work on the GPU while calls are made alone: one of the reference's is "
                "waited for 2.35 ms"));
}

}  // namespace
}  // namespace wb
