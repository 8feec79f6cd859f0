// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/cross_checks/unmet_samples.h"

#include <gtest/gtest.h>

#include <utility>

namespace wb {
namespace {

/// Twice as fast when it was timed.
UnmetSamples ofTwice(std::initializer_list<std::pair<double, double>> sides, double low = 1.95,
                     double allowed = 0) {
  CaseTiming timing;
  timing.reference = 20e-6;
  timing.candidate = 10e-6;
  timing.speedup.ratio = 2;
  timing.speedup.low = low;
  UnmetSamples samples(timing, allowed);
  for (const auto& [reference, candidate] : sides) samples.add(reference * 1e-6, candidate * 1e-6);
  return samples;
}

TEST(UnmetSamples, WhatIsAsFastLosesNothing) {
  EXPECT_FALSE(ofTwice({{20, 10}, {21, 11}, {20, 10}}).loseSpeedup());
  // Others have had the processors.
  EXPECT_FALSE(ofTwice({{41, 21}, {20, 30}, {42, 20}}).loseSpeedup());
  // Calls in a row take less of what each call takes anyway.
  EXPECT_FALSE(ofTwice({{14, 5}, {14, 5}, {15, 5}}).loseSpeedup());
  EXPECT_FALSE(ofTwice({}).loseSpeedup());
}

TEST(UnmetSamples, WhatHasToWorkThereLosesItsSpeedup) {
  EXPECT_TRUE(ofTwice({{20, 20}, {20, 19}, {21, 22}}).loseSpeedup());
  // At another pace of the machine, too.
  EXPECT_TRUE(ofTwice({{12, 11}, {12, 12}, {13, 11}}).loseSpeedup());
  EXPECT_TRUE(ofTwice({{30, 30}, {31, 32}, {33, 29}}).loseSpeedup());
}

TEST(UnmetSamples, WhatIsWithinWhatIsKnownIsNoLoss) {
  EXPECT_FALSE(ofTwice({{20, 19}, {20, 20}, {20, 20}}, 0.7).loseSpeedup());
  EXPECT_TRUE(ofTwice({{20, 32}, {20, 31}, {20, 33}}, 0.7).loseSpeedup());
}

TEST(UnmetSamples, WhatBothSidesPayForMemoryIsNoLoss) {
  EXPECT_FALSE(ofTwice({{50, 40}, {51, 40}, {52, 42}}).loseSpeedup());
  EXPECT_TRUE(ofTwice({{30, 28}, {30, 27}, {31, 28}}).loseSpeedup());
}

TEST(UnmetSamples, WhatAProcessTakesToWakeIsNoLoss) {
  EXPECT_FALSE(ofTwice({{24, 18}, {25, 18}, {24, 18}}, 1.95, 10e-6).loseSpeedup());
  EXPECT_TRUE(ofTwice({{24, 18}, {25, 18}, {24, 18}}, 1.95, 1e-6).loseSpeedup());
  EXPECT_TRUE(ofTwice({{24, 30}, {25, 30}, {24, 31}}, 1.95, 10e-6).loseSpeedup());
  EXPECT_FALSE(ofTwice({{19, 17}, {19, 17}, {19, 18}}, 1.95, 10e-6).loseSpeedup());
}

TEST(UnmetSamples, AreClearWhereFourFifthsSayTheSame) {
  EXPECT_TRUE(ofTwice({{20, 20}, {20, 20}, {20, 20}, {20, 20}, {20, 10}}).areClear());
  EXPECT_TRUE(ofTwice({{20, 10}, {20, 10}, {20, 10}, {20, 10}, {20, 20}}).areClear());
  EXPECT_FALSE(ofTwice({{20, 10}, {20, 10}, {20, 10}, {20, 20}, {20, 20}}).areClear());
}

TEST(UnmetSamples, RowsLastAsLongAsSamplesAndTakeLittleMemory) {
  EXPECT_EQ(callsInRow(20e-6, 1024), 20);
  EXPECT_EQ(callsInRow(1e-6, 1024), 64);
  EXPECT_EQ(callsInRow(1e-3, 1024), 1);
  EXPECT_EQ(callsInRow(20e-6, 4 << 20), 8);
  EXPECT_EQ(callsInRow(0, std::int64_t{1} << 40), 1);
}

}  // namespace
}  // namespace wb
