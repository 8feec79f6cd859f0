// SPDX-License-Identifier: Apache-2.0
#include "core/model/metrics/occupancy.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

MultiprocessorLimits limits(std::string_view architecture) {
  const auto found = limitsOf(architecture);
  EXPECT_TRUE(found) << architecture;
  return found.value_or(MultiprocessorLimits{});
}

// tests/engine/cupti/occupancy_test.cpp compares with NVIDIA's own calculator, over many more.
TEST(OccupancyTest, ASmallKernelFillsAMultiprocessor) {
  const Occupancy full = occupancy(limits("sm_90"), 256, 32, 0);
  EXPECT_EQ(full.blocks, 8);
  EXPECT_EQ(full.warps, 64);
  EXPECT_EQ(full.fraction, 1);
  EXPECT_EQ(full.limiter, "registers, block size");
}

TEST(OccupancyTest, RegistersLimit) {
  // 96 registers: 3072 a warp, 5 warps in each quarter, 20 in all: 2 blocks of 8.
  const Occupancy two = occupancy(limits("sm_90"), 256, 96, 0);
  EXPECT_EQ(two.blocks, 2);
  EXPECT_EQ(two.warps, 16);
  EXPECT_EQ(two.fraction, 0.25);
  EXPECT_EQ(two.limiter, "registers");
  EXPECT_EQ(two.byWarps, 8);
}

TEST(OccupancyTest, SharedMemoryLimitsWithWhatTheSystemTakes) {
  // 75 KiB and 1 of the system: three in 228 KiB. A byte more and it is two.
  EXPECT_EQ(occupancy(limits("sm_90"), 128, 32, 75 * 1024).blocks, 3);
  EXPECT_EQ(occupancy(limits("sm_90"), 128, 32, 75 * 1024 + 1).blocks, 2);
  EXPECT_EQ(occupancy(limits("sm_90"), 128, 32, 75 * 1024).limiter, "shared memory");
  EXPECT_EQ(occupancy(limits("sm_75"), 128, 32, 32 * 1024).blocks, 2);
}

TEST(OccupancyTest, SmallBlocksMeetTheLimitOfBlocks) {
  const Occupancy small = occupancy(limits("sm_90"), 32, 16, 0);
  EXPECT_EQ(small.blocks, 32);
  EXPECT_EQ(small.fraction, 0.5);
  EXPECT_EQ(small.limiter, "blocks");
}

TEST(OccupancyTest, WhatCannotBeLaunchedHasNoBlocksAndAReason) {
  EXPECT_EQ(occupancy(limits("sm_90"), 1025, 32, 0).limiter, "block size");
  EXPECT_EQ(occupancy(limits("sm_90"), 0, 32, 0).blocks, 0);
  EXPECT_EQ(occupancy(limits("sm_90"), 1024, 65, 0).limiter, "registers");
  EXPECT_EQ(occupancy(limits("sm_90"), 1024, 65, 0).blocks, 0);
  EXPECT_EQ(occupancy(limits("sm_90"), 32, 256, 0).limiter, "registers");
  EXPECT_EQ(occupancy(limits("sm_90"), 128, 32, 227 * 1024).blocks, 1);
  EXPECT_EQ(occupancy(limits("sm_90"), 128, 32, 227 * 1024 + 1).limiter, "shared memory");
}

TEST(OccupancyTest, ArchitecturesWithTheirSuffixesAreKnownAndOthersAreNot) {
  for (const char* known : {"sm_70", "sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_90a", "sm_100",
                            "sm_100a", "sm_103", "sm_110", "sm_120", "sm_120f", "sm_121"})
    EXPECT_TRUE(limitsOf(known)) << known;
  for (const char* unknown : {"", "sm_", "sm_61", "90", "compute_90", "sm_90ab", "x86-64", "sm_999"})
    EXPECT_FALSE(limitsOf(unknown)) << unknown;
  EXPECT_EQ(limitsOf("sm_90a")->shared, 228 * 1024);
}

TEST(OccupancyTest, WavesAreBlocksOverWhatIsResidentAtOnce) {
  EXPECT_DOUBLE_EQ(waves(2112, 8, 132), 2);
  EXPECT_DOUBLE_EQ(waves(1, 8, 132), 1.0 / 1056);
  EXPECT_EQ(waves(100, 0, 132), 0);
}

}  // namespace
}  // namespace wb
