// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>

#include "core/engine/reference/operator.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ReferenceCall, GivesTheOperatorsResults) {
  const auto call = prepareReference(*findOperator("aten::relu"), {at::ones({3}).neg()});
  ASSERT_TRUE(call->run());
  EXPECT_EQ(call->outputs()->at(0).toTensor().sum().item<float>(), 0);
  ASSERT_TRUE(call->run()) << "it runs again on the same arguments";
  EXPECT_EQ(call->outputs()->size(), 1U);
}

TEST(ReferenceCall, GivesTorchsWordsWithoutItsBacktrace) {
  const auto call = prepareReference(*findOperator("aten::mm"), {at::ones({2, 3}), at::ones({2, 3})});
  const Result<void> done = call->run();
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().text, HasSubstr("cannot be multiplied"));
  EXPECT_THAT(done.error().text, Not(HasSubstr("frame #")));
}

TEST(ReferenceCall, TellsWhetherItConvolves) {
  const auto convolves = [](const char* op, const Stack& arguments) {
    return callsConvolution(*findOperator(op), arguments);
  };
  const at::Tensor image = at::ones({1, 2, 8}), weight = at::ones({3, 2, 3});
  const c10::List<std::int64_t> one({1}), none({0});
  EXPECT_TRUE(convolves("aten::conv1d", {image, weight, at::Tensor(), one, none, one, std::int64_t{1}}));
  EXPECT_FALSE(convolves("aten::mm", {at::ones({2, 3}), at::ones({3, 2})}));
  EXPECT_FALSE(convolves("aten::mm", {at::ones({2, 3}), at::ones({2, 3})})) << "which fails";
}

TEST(OutputPlan, HoldsEveryOutputsShapeAndType) {
  const Result<OutputPlan> plan =
      planOutputs(*findOperator("aten::max.dim"), {at::ones({2, 3}), std::int64_t{1}, false});
  ASSERT_TRUE(plan) << plan.error().text;
  ASSERT_EQ(plan->examples.size(), 2U);
  EXPECT_EQ(plan->examples[0].scalar_type(), at::kFloat);
  EXPECT_EQ(plan->examples[1].scalar_type(), at::kLong);
}

}  // namespace
}  // namespace wb
