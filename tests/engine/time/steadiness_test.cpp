// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/steadiness.h"

#include <gtest/gtest.h>

#include "core/engine/time/nvml.h"

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

TEST(Blocks, WithoutNvmlEveryBlockCountsAndThereAreNoConditions) {
  Blocks blocks;
  for (int i = 0; i < 5; ++i) blocks.add(Block{}, std::nullopt);
  CaseTiming timing;
  EXPECT_EQ(blocks.moveInto(timing), "");
  EXPECT_EQ(timing.blocks.size(), 5U);
  EXPECT_TRUE(timing.conditions.empty());
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

}  // namespace
}  // namespace wb
