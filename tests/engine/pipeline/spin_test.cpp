// SPDX-License-Identifier: Apache-2.0
#include "core/engine/machine/spin.h"

#include <ATen/ops/arange.h>
#include <gtest/gtest.h>

#include <chrono>

#include "core/engine/reference/operator.h"

namespace wb {
namespace {

TEST(Spin, IsAnOperatorThatWaitsAndCopies) {
  const auto entry = defineSpin("");
  ASSERT_TRUE(entry) << entry.error().text;
  EXPECT_EQ(entry->name, spinOperator);
  EXPECT_TRUE(defineSpin("")) << "asked for again";
  const auto op = findOperator(spinOperator);
  ASSERT_TRUE(op) << op.error().text;
  const at::Tensor input = at::arange(5, at::kFloat);
  const auto call = prepareReference(*op, {input, std::int64_t{200'000}});
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(call->run());
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::microseconds(200));
  const auto outputs = call->outputs();
  ASSERT_TRUE(outputs);
  EXPECT_TRUE((*outputs)[0].toTensor().equal(input));
  EXPECT_FALSE((*outputs)[0].toTensor().is_same(input));
}

}  // namespace
}  // namespace wb
