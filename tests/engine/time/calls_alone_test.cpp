// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/clocks/calls_alone.h"

#include <gmock/gmock.h>

namespace wb {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// A call of softmax's on an H100, from outside.
constexpr EnqueuedCalls softmax{87e-6, 9e-6, 106e-6, 92e-6};

TEST(CallsAlone, OfTheSameLengthAreRight) {
  EXPECT_THAT(besideEachOther(softmax, softmax), IsEmpty());
  EXPECT_THAT(besideEachOther({21e-6, 9e-6, 41e-6, 28e-6}, softmax), IsEmpty());
}

TEST(CallsAlone, ThatRunBesideEachOtherAreNamed) {
  EXPECT_THAT(
      besideEachOther({22.8e-6, 9e-6, 108e-6, 90e-6}, softmax),
      HasSubstr("one of many takes 22.8 µs, and one that comes alone takes 108 µs, 90.0 µs of them after"));
}

TEST(CallsAlone, ThatTakeLongToEnqueueNeedNotWaitForTheDevice) {
  // Many of Python's calls keep the device half idle; one alone takes both.
  EXPECT_THAT(besideEachOther({120e-6, 118e-6, 195e-6, 45e-6}, softmax), IsEmpty());
  // Colder caches of the host's.
  EXPECT_THAT(besideEachOther({60e-6, 58e-6, 180e-6, 18e-6}, softmax), IsEmpty());
}

TEST(CallsAlone, ThatWaitThemselvesWhenTheyComeAloneAreNamed) {
  EXPECT_THAT(besideEachOther({22.8e-6, 9e-6, 158e-6, 2e-6}, softmax), HasSubstr("run beside each other"));
}

TEST(CallsAlone, OfALongKernelMayFindColderCaches) {
  EXPECT_THAT(besideEachOther({1e-3, 9e-6, 1.14e-3, 1.12e-3}, softmax), IsEmpty());
  EXPECT_THAT(besideEachOther({1e-3, 9e-6, 1.4e-3, 1.39e-3}, softmax), HasSubstr("not scored"));
}

TEST(CallsAlone, TheReferenceShowsWhatAWaitCosts) {
  constexpr EnqueuedCalls slowToWake{87e-6, 9e-6, 130e-6, 117e-6};
  EXPECT_THAT(besideEachOther({20e-6, 9e-6, 88e-6, 75e-6}, slowToWake), IsEmpty());
  EXPECT_THAT(besideEachOther({20e-6, 9e-6, 88e-6, 75e-6}, softmax), HasSubstr("not scored"));
}

TEST(CallsAlone, NothingIsSaidWhereTheGpuTurnsToAnotherProcessForEachCall) {
  // Of honest kernels on an H100, where this process had just written inputs there.
  EXPECT_THAT(besideEachOther({12.3e-6, 10e-6, 156e-6, 138e-6}, {8.6e-6, 7e-6, 151e-6, 140e-6}), IsEmpty());
  EXPECT_THAT(besideEachOther({92.8e-6, 7e-6, 233e-6, 223e-6}, {21.2e-6, 16e-6, 169e-6, 142e-6}), IsEmpty());
  EXPECT_THAT(besideEachOther({163e-6, 12e-6, 280e-6, 262e-6}, {210e-6, 10e-6, 319e-6, 301e-6}), IsEmpty());
}

TEST(CallsAlone, NothingIsSaidWhereTheReferenceWaitsItself) {
  EXPECT_THAT(besideEachOther({144e-6, 49e-6, 302e-6, 196e-6}, {525e-6, 437e-6, 370e-6, 5e-6}), IsEmpty());
}

}  // namespace
}  // namespace wb
