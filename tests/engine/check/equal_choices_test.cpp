// SPDX-License-Identifier: Apache-2.0
// Which of equal values an operator chooses, torch leaves open.
#include "core/engine/check/compare/equal_choices.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "core/engine/reference/operator.h"

namespace wb {
namespace {

at::Tensor places(std::initializer_list<std::int64_t> values) {
  return at::tensor(std::vector<std::int64_t>(values), at::kLong);
}

/// Whether the candidate's places count as the reference's own.
bool areAccepted(const std::string& op, const Stack& arguments, const at::Tensor& values,
                 const at::Tensor& theirs, const at::Tensor& reference) {
  const Stack actual{values, theirs}, expected{values, reference};
  const Stack judged = withEqualChoices(*findOperator(op), arguments, actual, expected);
  return judged[1].toTensor().is_same(theirs);
}

TEST(EqualChoices, ThePlacesOfEqualValuesMayChange) {
  const at::Tensor input = at::tensor({2.0F, 7.0F, 2.0F, 7.0F});
  const at::Tensor two = at::tensor({7.0F, 7.0F});
  const Stack topk{input, 2, -1, true, true};
  EXPECT_TRUE(areAccepted("aten::topk", topk, two, places({3, 1}), places({1, 3})));
  EXPECT_FALSE(areAccepted("aten::topk", topk, two, places({1, 1}), places({1, 3}))) << "one is named twice";
  EXPECT_FALSE(areAccepted("aten::topk", topk, two, places({1, 2}), places({1, 3}))) << "2 is not 7";
  EXPECT_FALSE(areAccepted("aten::topk", topk, two, places({1, 4}), places({1, 3})))
      << "there is no such place";
  EXPECT_FALSE(areAccepted("aten::topk", topk, two, places({1, 3}).to(at::kInt), places({1, 3})));
}

TEST(EqualChoices, AStableOrderIsPromised) {
  const at::Tensor input = at::tensor({1.0F, 1.0F, 0.0F});
  const at::Tensor sorted = at::tensor({0.0F, 1.0F, 1.0F});
  const c10::IValue none;
  EXPECT_TRUE(areAccepted("aten::sort", {input, -1, false}, sorted, places({2, 1, 0}), places({2, 0, 1})));
  EXPECT_TRUE(areAccepted("aten::sort.stable", {input, none, -1, false}, sorted, places({2, 1, 0}),
                          places({2, 0, 1})));
  EXPECT_FALSE(areAccepted("aten::sort.stable", {input, true, -1, false}, sorted, places({2, 1, 0}),
                           places({2, 0, 1})));
}

TEST(EqualChoices, OneOfARowMayBeAnyOfItsEquals) {
  const at::Tensor input = at::tensor({3.0F, 1.0F, 3.0F, 3.0F}).view({2, 2});
  const at::Tensor median = at::tensor({1.0F, 3.0F});
  const Stack arguments{input, 1, false};
  EXPECT_TRUE(areAccepted("aten::median.dim", arguments, median, places({1, 1}), places({1, 0})));
  EXPECT_FALSE(areAccepted("aten::median.dim", arguments, median, places({0, 1}), places({1, 0})));
  // What is promised to be the first stays so.
  const at::Tensor largest = at::tensor({3.0F, 3.0F});
  EXPECT_FALSE(areAccepted("aten::max.dim", arguments, largest, places({0, 1}), places({0, 0})));
}

}  // namespace
}  // namespace wb
