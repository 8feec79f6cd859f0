// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/steadiness.h"

#include <gtest/gtest.h>

#include "core/engine/time/clocks/nvml.h"

namespace wb {
namespace {

Conditions at(double hertz) {
  Conditions conditions;
  conditions.smHertz = hertz;
  return conditions;
}

TEST(Blocks, AFifthMayBeLeftOutAndNoMore) {
  for (const auto& [changes, dropped] : {std::pair{2, 2}, std::pair{4, 0}}) {
    Blocks blocks;
    double hertz = 1e9;
    for (int i = 0; i < 15; ++i) {
      if (i > 0 && i <= changes) hertz *= 1.03;
      blocks.add(Block{}, at(hertz));
    }
    EXPECT_EQ(blocks.kept().size(), 15U - static_cast<unsigned>(dropped));
    CaseTiming timing;
    EXPECT_EQ(blocks.moveInto(timing).empty(), dropped != 0);
    EXPECT_EQ(timing.dropped, dropped);
    EXPECT_EQ(timing.blocks.size(), timing.conditions.size());
  }
}

TEST(Blocks, DrawsAreThoseOfTheBlocksThatCount) {
  Blocks blocks;
  for (std::size_t i = 0; i < 15; ++i) blocks.add(Block{}, at(i == 4 ? 1.5e9 : 1e9), {}, 0, 100 + i);
  const auto draws = blocks.draws();
  ASSERT_EQ(draws.size(), blocks.kept().size());
  EXPECT_EQ(draws.size(), 13U) << "the clock changed at the fifth, and back";
  EXPECT_EQ(draws[3], 103U);
  EXPECT_EQ(draws[4], 106U);
}

TEST(Blocks, WithoutNvmlEveryBlockCountsAndThereAreNoConditions) {
  Blocks blocks;
  for (int i = 0; i < 5; ++i) blocks.add(Block{}, std::nullopt);
  CaseTiming timing;
  EXPECT_EQ(blocks.moveInto(timing), "");
  EXPECT_EQ(timing.blocks.size(), 5U);
  EXPECT_TRUE(timing.conditions.empty());
}

/// Fifteen blocks of a millisecond, of which so many were interrupted.
Blocks interrupted(int count) {
  Blocks blocks;
  for (int i = 0; i < 15; ++i) blocks.add(Block{}, std::nullopt, {i < count ? 1 : 0, 0}, 1e-3);
  return blocks;
}

TEST(Blocks, InterruptedOnesAreLeftOutAndSaidSo) {
  Blocks blocks = interrupted(9);
  EXPECT_FALSE(blocks.tooBusy());
  EXPECT_EQ(blocks.kept().size(), 6U);
  CaseTiming timing;
  EXPECT_EQ(blocks.moveInto(timing), "9 of 15 blocks left out: others had the processors meanwhile");
  EXPECT_EQ(timing.dropped, 9);
  EXPECT_FALSE(interrupted(0).tooBusy());
}

TEST(Blocks, WhereTooFewAreLeftItIsTooNoisy) {
  Blocks blocks = interrupted(10);
  EXPECT_TRUE(blocks.tooBusy());
  EXPECT_EQ(blocks.kept().size(), 15U);
  CaseTiming timing;
  EXPECT_EQ(blocks.moveInto(timing), "too noisy: others had the processors in 10 of 15 blocks");
  EXPECT_EQ(timing.dropped, 0);
}

TEST(Blocks, ALongOneMayBeInterruptedAsOftenAsAnIdleMachineDoes) {
  Blocks blocks;
  for (int i = 0; i < 8; ++i) blocks.add(Block{}, std::nullopt, {5, 5}, 0.5);
  EXPECT_EQ(blocks.kept().size(), 8U);
  EXPECT_FALSE(blocks.tooBusy());
}

TEST(Blocks, NameTheKernelAloneThatTakesLongNowAndThen) {
  std::vector<Block> blocks(30, Block{{1, 1}, {1, 1}});
  std::size_t interrupted = blocks.size();
  const auto note = [&] {
    Blocks taken;
    for (std::size_t i = 0; i < blocks.size(); ++i)
      taken.add(blocks[i], std::nullopt, {i < interrupted ? 0 : 1, 0}, 1e-3);
    return taken.stallNote();
  };
  EXPECT_EQ(note(), "");
  blocks[3].candidate[1] = blocks[9].candidate[0] = 30;
  blocks[17].candidate[0] = blocks[20].candidate[0] = 30;
  EXPECT_EQ(note(), "") << "four may be chance";
  blocks[20].candidate[1] = 30;
  EXPECT_EQ(note(), "in 8.33 % of its samples the kernel takes over 10 times as long as in most");
  interrupted = 17;
  EXPECT_EQ(note(), "") << "others had the processors in those blocks";
  interrupted = blocks.size();
  blocks[5].reference[0] = 30;
  EXPECT_EQ(note(), "") << "the reference does so too, and one more may be chance";
  for (std::size_t i = 21; i < 24; ++i) blocks[i].candidate[0] = 30;
  EXPECT_EQ(note(), "in 13.3 % of its samples the kernel takes over 10 times as long as in most");
  blocks[11].reference[1] = blocks[12].reference[1] = 30;
  EXPECT_EQ(note(), "") << "three of eleven may be chance";
}

TEST(Nvml, ReasonsAreWordsAndIdlenessIsNone) {
  EXPECT_EQ(throttleText(0), "");
  EXPECT_EQ(throttleText(0x1 | 0x2), "");  // idle, clocks set by somebody
  EXPECT_EQ(throttleText(0x4 | 0x20), "power cap, thermal");
}

TEST(Nvml, ACardThatIsNotThereIsNotThereForAReason) {
  std::string why;
  EXPECT_EQ(Nvml::open("GPU-00000000-0000-0000-0000-000000000000", &why), nullptr);
  EXPECT_FALSE(why.empty());
}

TEST(Blocks, WhereTheKernelAloneIsInterruptedItsOwnThreadsAreToBlameAndAllCount) {
  const Block even{{1e-6, 1e-6}, {1e-6, 1e-6}}, slow{{1e-6, 1e-6}, {1e-4, 1e-4}};
  Blocks blocks;
  for (int i = 0; i < 15; ++i) blocks.add(even, std::nullopt, {i == 0 ? 1 : 0, i < 12 ? 40 : 0}, 1e-3);
  EXPECT_FALSE(blocks.tooBusy());
  EXPECT_EQ(blocks.kept().size(), 15U);
  CaseTiming timing;
  EXPECT_EQ(blocks.moveInto(timing),
            "its own threads took the processors from each other in 12 of 15 blocks");
  // One that is much slower is so with all of its blocks.
  Blocks longer;
  for (int i = 0; i < 15; ++i) longer.add(slow, std::nullopt, {1, 40}, 1e-1);
  EXPECT_FALSE(longer.tooBusy());
  EXPECT_EQ(longer.kept().size(), 15U);
  EXPECT_EQ(longer.moveInto(timing),
            "the processors had other work meanwhile in 15 of 15 blocks, which all count");
}

}  // namespace
}  // namespace wb
