// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/clocks/uneven_calls.h"

#include <gmock/gmock.h>

namespace wb {
namespace {

using testing::HasSubstr;

constexpr int calls = 30;
constexpr double microsecond = 1e-6;

/// What graphs take of which each call takes so many microseconds, and beginning them eight.
GraphRuns even(double call) {
  return {(8 + calls * call) * microsecond, (8 + 2 * calls * call) * microsecond};
}

/// The reference's blocks are like the candidate's first ones, so far as nothing else is said.
std::string uneven(const GraphRuns& first, const GraphRuns& again, const GraphRuns& referenceFirst = even(60),
                   const GraphRuns& referenceAgain = even(60)) {
  const std::vector<GraphRuns> firsts(5, first), agains(5, again);
  return unevenCalls({std::vector<GraphRuns>(5, referenceFirst), firsts},
                     {std::vector<GraphRuns>(5, referenceAgain), agains}, calls);
}

TEST(UnevenCalls, WhatTakesTheSameEachTimeIsEven) {
  for (const double call : {1.5, 10.0, 60.0, 2000.0}) EXPECT_EQ(uneven(even(call), even(call)), "");
  // Some of the cache is the first one's.
  EXPECT_EQ(uneven(even(12), even(10)), "");
  EXPECT_EQ(unevenCalls({}, {}, calls), "");
}

TEST(UnevenCalls, AKernelThatKeepsItsAnswersWorksWhenContentsAreNew) {
  // Of the longer graph's calls half meet inputs that are new.
  const GraphRuns working{calls * 60 * microsecond, calls * 69 * microsecond};
  EXPECT_THAT(uneven(working, even(9)), HasSubstr("one more of them takes 9"));
}

TEST(UnevenCalls, AKernelThatWorksInOneOfTheGraphsAloneIsUneven) {
  const GraphRuns shorter{calls * 60 * microsecond, calls * 64 * microsecond};
  EXPECT_NE(uneven(shorter, shorter), "");
  const GraphRuns first{calls * 60 * microsecond, calls * 120 * microsecond};
  EXPECT_NE(uneven(first, even(20)), "");
}

TEST(UnevenCalls, WhatItTakesToBeginAGraphOfManyBranchesIsNoCallsWork) {
  // As an H100 said of calls with two streams each while others used it.
  const GraphRuns slow{calls * 28.4 * microsecond, calls * (28.4 + 18.2) * microsecond};
  EXPECT_EQ(uneven(slow, slow), "");
}

TEST(UnevenCalls, OthersWhoUseTheDeviceInMostBlocksAreNoDoingOfTheKernels) {
  std::vector<GraphRuns> runs(5, even(40));
  for (std::size_t i = 0; i < 4; ++i) runs[i].twice *= 1.7, runs[i].once *= i < 2 ? 1.7 : 1.2;
  const std::vector<GraphRuns> quiet(5, even(40));
  EXPECT_EQ(unevenCalls({quiet, runs}, {quiet, quiet}, calls), "");
}

TEST(UnevenCalls, WhatTheReferenceDoesTooIsTheDevices) {
  const GraphRuns slow{calls * 180 * microsecond, calls * 360 * microsecond};
  EXPECT_NE(uneven(slow, even(60)), "");
  EXPECT_EQ(uneven(slow, even(60), slow, even(60)), "");
}

}  // namespace
}  // namespace wb
