// SPDX-License-Identifier: Apache-2.0
#include "core/engine/cases/value_looks.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "core/engine/cases/changed_values.h"

namespace wb {
namespace {

at::Tensor boxes(std::int64_t count) {
  const at::Tensor corner = at::rand({count, 2}), size = at::rand({count, 2});
  return at::cat({corner, corner + size}, 1);
}

TEST(ValueLooks, RowsOfOneSumOrOneLengthBelongTogether) {
  EXPECT_EQ(numbersTogether(at::randn({100, 20}).softmax(-1)), 20);
  EXPECT_EQ(numbersTogether(at::randn({100, 20}).softmax(-1).to(at::kHalf)), 20);
  EXPECT_EQ(numbersTogether(at::randn({100, 20}).log_softmax(-1)), 20);
  const at::Tensor rows = at::randn({4, 25, 16});
  EXPECT_EQ(numbersTogether(rows / rows.norm(2, {-1}, true)), 16);
  EXPECT_EQ(numbersTogether(at::randn({1000, 3000}).softmax(-1)), 3000) << "a few of many rows say it";
}

TEST(ValueLooks, WhatBelongsTogetherMayBeMoreThanARow) {
  EXPECT_EQ(numbersTogether(at::randn({16, 5, 4, 7}).softmax(1)), 5 * 4 * 7);
  EXPECT_EQ(numbersTogether(std::get<0>(at::linalg_qr(at::randn({50, 3, 3})))), 9) << "rotations";
  EXPECT_EQ(numbersTogether(at::randn({100, 20}).softmax(0)), 2000);
  EXPECT_EQ(numbersTogether(at::randn({100}).softmax(0)), 100) << "weights";
}

TEST(ValueLooks, RowsThatRiseBelongTogether) {
  EXPECT_EQ(numbersTogether(boxes(64)), 4);
  EXPECT_EQ(numbersTogether(std::get<0>(at::rand({64, 40}).sort(-1))), 40);
}

TEST(ValueLooks, MemoryCountsAndNotTheOrderOfDimensions) {
  EXPECT_EQ(numbersTogether(at::randn({100, 20}).softmax(-1).t()), 20);
  EXPECT_EQ(numbersTogether(at::randn({100, 20}).softmax(-1).slice(1, 0, 10)), 0) << "there are gaps";
}

TEST(ValueLooks, NumbersThatAreDrawnBelongToNoOthers) {
  at::manual_seed(7);
  for (std::int64_t i = 0; i < 20; ++i) {
    EXPECT_EQ(numbersTogether(at::randn({100, 20})), 0);
    EXPECT_EQ(numbersTogether(at::rand({2, 20000})), 0);
    EXPECT_EQ(numbersTogether(at::rand({300, 5000}).to(at::kHalf)), 0);
    EXPECT_EQ(numbersTogether(at::randn({8, 16, 32, 32})), 0);
    EXPECT_EQ(numbersTogether(at::rand({4096})), 0);
  }
  EXPECT_EQ(numbersTogether(at::ones({1 << 19}).div_(1 << 19)), 0) << "too long a row to be looked at";
  EXPECT_EQ(numbersTogether(at::randint(0, 9, {20, 20}, at::kLong)), 0);
  EXPECT_EQ(numbersTogether(at::randn({20, 20}, at::kComplexFloat)), 0);
}

/// Every row of one is a row of the other.
bool areRowsOf(const at::Tensor& made, const at::Tensor& base) {
  for (std::int64_t i = 0; i < made.size(0); ++i)
    if (!base.eq(made[i]).all(-1).any().item<bool>()) return false;
  return true;
}

TEST(ValueLooks, RowsThatBelongTogetherMoveAsTheyAre) {
  for (const std::int64_t count : {8, 64, 1000}) {
    const at::Tensor base = at::randn({count, 20}).softmax(-1);
    EXPECT_EQ(originOfOwn(base), ValueOrigin::drawnTogether);
    const ValueChange change = changeOf(base, "self", originOfOwn(base));
    ASSERT_EQ(change.way, ValueChange::Way::moveTogether);
    std::set<std::string> seen;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      at::Tensor whole = at::empty_like(base), parts = at::empty_like(base);
      writeChanged(flatMemory(whole), flatMemory(base), change, seed, 0, base.numel());
      EXPECT_TRUE(areRowsOf(whole, base));
      for (std::int64_t from = 0; from < base.numel(); from += 5 * change.together)
        writeChanged(flatMemory(parts), flatMemory(base), change, seed, from,
                     std::min(base.numel(), from + 5 * change.together));
      EXPECT_TRUE(parts.equal(whole));
      seen.emplace(static_cast<const char*>(whole.const_data_ptr()), whole.nbytes());
    }
    EXPECT_GE(seen.size(), 39U) << "of " << count << " rows";
  }
}

TEST(ValueLooks, WeightsMoveOneByOneAndTooFewRowsNotAtAll) {
  const at::Tensor weights = at::randn({300}).softmax(0);
  const ValueChange change = changeOf(weights, "self", originOfOwn(weights));
  EXPECT_EQ(change.way, ValueChange::Way::move);
  EXPECT_EQ(change.flipped, 0U);
  EXPECT_EQ(originOfOwn(at::randn({4, 200}).softmax(-1)), ValueOrigin::drawn);
}

}  // namespace
}  // namespace wb
