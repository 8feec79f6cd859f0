// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

#include "core/engine/check/compare/check.h"

namespace wb {
namespace {

const Tolerance given{"given", 0, 0.5};

/// What is told of a tensor of zeros in which somebody changed elements.
std::optional<WrongElements> wrongOf(at::Tensor actual, const Tolerance& tolerance = given) {
  return wrongElements({actual}, {at::zeros_like(actual)}, {}, tolerance);
}

TEST(WrongElementsOf, ARightAnswerHasNone) {
  EXPECT_FALSE(wrongOf(at::zeros({3, 4})));
  EXPECT_FALSE(wrongElements({at::zeros({3})}, {at::zeros({4})}, {}, given)) << "another shape";
}

TEST(WrongElementsOf, ASmallOutputIsToldInFull) {
  at::Tensor actual = at::zeros({3, 4});
  actual[1][2] = 1.5;
  actual[2][3] = NAN;
  const auto wrong = wrongElements({actual}, {at::zeros({3, 4})}, {at::zeros({3, 4}, at::kDouble)}, given);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->shape, (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(wrong->cells, wrong->shape);
  EXPECT_EQ(wrong->map, "......b....z") << "three times the tolerance, and no number";
  ASSERT_EQ(wrong->elements.size(), 12U);
  EXPECT_EQ(wrong->elements[6], (ElementPair{6, "0", "1.5", "0", 1.5, true}));
  EXPECT_FALSE(wrong->elements[5].wrong);
  EXPECT_EQ(wrong->elements[11].actual, "nan");
  EXPECT_TRUE(std::isinf(wrong->elements[11].difference));
  EXPECT_TRUE(isSound(*wrong));
}

TEST(WrongElementsOf, OfALargeOneTheFirstAndTheWorstAre) {
  at::Tensor actual = at::zeros({1000, 1000});
  actual.reshape(-1).slice(0, 500'000) = 1;
  actual[999][7] = 100;
  const auto wrong = wrongOf(actual);
  ASSERT_TRUE(wrong && isSound(*wrong));
  EXPECT_EQ(wrong->cells, (std::vector<std::int64_t>{125, 125}));
  EXPECT_EQ(wrong->map.substr(0, 62 * 125), std::string(62 * 125, '.'));
  EXPECT_EQ(wrong->map[62 * 125], 'b') << "row 500 is in the middle of a cell";
  EXPECT_EQ(wrong->map[124 * 125], 'h') << "the worst of its cell";
  ASSERT_EQ(wrong->elements.size(), WrongElements::mostElements);
  EXPECT_EQ(wrong->elements.front().at, 500'000);
  EXPECT_EQ(wrong->elements[127].at, 500'127);
  EXPECT_EQ(wrong->elements.back().at, 999'007);
  EXPECT_EQ(wrong->elements.back().actual, "100");
}

TEST(WrongElementsOf, TheOutputIsTheFirstWithOne) {
  const at::Tensor right = at::zeros({2}), other = at::ones({2}, at::kLong);
  const auto wrong = wrongElements({right, other}, {right, at::zeros({2}, at::kLong)}, {}, Tolerance{});
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->output, 1);
  EXPECT_EQ(wrong->map, "zz") << "integers have no tolerance";
}

}  // namespace
}  // namespace wb
