// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/shared_memory.h"

#include <gtest/gtest.h>

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include "core/engine/reference/operator.h"

namespace wb {
namespace {

const c10::FunctionSchema& schema(const std::string& op) {
  static std::vector<c10::OperatorHandle> kept;
  kept.push_back(*findOperator(op));
  return kept.back().schema();
}

TEST(SharesMemory, SeesViewsAndNotNeighbours) {
  const at::Tensor all = at::arange(10);
  EXPECT_TRUE(sharesMemory(all.narrow(0, 0, 2), all.narrow(0, 8, 2))) << "one storage";
  EXPECT_FALSE(sharesMemory(all, all.clone()));
  EXPECT_FALSE(sharesMemory(at::zeros({0}), at::zeros({0})));
}

TEST(ForbiddenAlias, IsAnInputHandedBackWhereAtenMakesAnother) {
  const Stack given{at::ones({3})}, own{at::ones({3})}, fresh{at::ones({3})};
  EXPECT_EQ(forbiddenAlias(schema("aten::relu"), {given, {given[0]}}, sharedArguments({own, fresh})),
            "output 0 shares memory with input 'self'");
  EXPECT_EQ(forbiddenAlias(schema("aten::relu"), {given, {at::ones({3})}}, sharedArguments({own, fresh})),
            "");
}

TEST(ForbiddenAlias, IsNoneWhereTheSchemaOrTheReferenceDoesIt) {
  const Stack given{at::ones({3})}, own{at::ones({3})}, fresh{at::ones({3})};
  EXPECT_EQ(forbiddenAlias(schema("aten::alias"), {given, {given[0]}}, sharedArguments({own, fresh})), "");
  EXPECT_EQ(forbiddenAlias(schema("aten::relu"), {given, {given[0]}}, sharedArguments({own, own})), "");
}

TEST(SharedArguments, AreThoseThatAResultLiesIn) {
  const Stack given{at::ones({3}), at::ones({4})};
  const SharedArguments shared =
      sharedArguments({given, {at::ones({3}), given[1].toTensor().narrow(0, 1, 2)}});
  EXPECT_EQ(shared, (SharedArguments{{false, false}, {false, true}}));
}

TEST(MissingAlias, IsAnInPlaceOperatorThatReturnsAnotherTensor) {
  const Stack given{at::ones({3})};
  EXPECT_EQ(missingAlias(schema("aten::relu_"), {given, {given[0]}}), "");
  EXPECT_EQ(missingAlias(schema("aten::relu_"), {given, {at::ones({3})}}),
            "output 0 must be argument 'self' itself, and is another tensor");
  const Stack out{at::ones({3}), at::zeros({3})};
  EXPECT_EQ(missingAlias(schema("aten::relu.out"), {out, {out[1]}}), "");
  EXPECT_NE(missingAlias(schema("aten::relu.out"), {out, {out[0]}}), "");
}

}  // namespace
}  // namespace wb
