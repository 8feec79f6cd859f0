// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/clocks/graph_calls.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

constexpr std::int64_t cache = std::int64_t{48} << 20, plenty = 100000;
constexpr std::int64_t kibi = 1024, mebi = 1024 * kibi;

TEST(GraphCalls, SmallSetsStayInAQuarterOfTheCache) {
  const GraphCalls calls = graphCalls(30, 16 * kibi, cache, plenty);
  EXPECT_EQ(calls.calls, 30);
  EXPECT_FALSE(calls.cold);
  // 120 sets of 100 KiB fit into 12 MiB, and no more are used.
  const GraphCalls fewer = graphCalls(60, 100 * kibi, cache, plenty);
  EXPECT_EQ(fewer.calls, 40);
  EXPECT_FALSE(fewer.cold);
}

TEST(GraphCalls, LargerSetsAreReadFromMemory) {
  const GraphCalls calls = graphCalls(6, mebi, cache, plenty);
  EXPECT_GE(3 * calls.calls * mebi, cache + cache / 4);
  EXPECT_TRUE(calls.cold);
  const GraphCalls more = graphCalls(40, 100 * mebi, cache, plenty);
  EXPECT_EQ(more.calls, 40);
  EXPECT_TRUE(more.cold);
}

TEST(GraphCalls, NoSizeIsBetweenHotAndCold) {
  for (std::int64_t bytes = kibi; bytes < 8 * mebi; bytes += 3 * kibi)
    for (const int wanted : {2, 7, 28, 200}) {
      const GraphCalls calls = graphCalls(wanted, bytes, cache, plenty);
      const std::int64_t all = 3 * calls.calls * bytes;
      EXPECT_EQ(calls.cold, all >= cache + cache / 4);
      EXPECT_TRUE(all <= cache / 4 || all >= cache + cache / 4)
          << bytes << " bytes, " << calls.calls << " calls";
      EXPECT_GE(calls.calls, std::min(wanted, 5));
      EXPECT_LE(3 * calls.calls, mostGraphSets);
    }
}

TEST(GraphCalls, AreFewerWhereMemoryIsShort) {
  EXPECT_EQ(graphCalls(50, 100 * mebi, cache, 20).calls, 6);
  EXPECT_EQ(graphCalls(50, 100 * mebi, cache, 3).calls, 1);
  EXPECT_EQ(graphCalls(50, 100 * mebi, cache, 2).calls, 0);
}

TEST(GraphCalls, EmptySetsAreHot) {
  EXPECT_EQ(graphCalls(64, 0, cache, plenty).calls, 42);
}

}  // namespace
}  // namespace wb
