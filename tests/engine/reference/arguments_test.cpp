// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ATen/core/List.h>

#include "core/engine/reference/operator.h"
#include "core/engine/reference/seed.h"
#include "core/engine/reference/tensor_factory.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<Stack> bound(const std::string& op, const std::string& args, std::uint64_t seed = 7) {
  WB_TRY(const c10::OperatorHandle handle, findOperator(op));
  WB_TRY(const Literal call, parseLiteral(args));
  return makeArguments(handle.schema(), call, seed, "cpu");
}

std::string bindError(const std::string& op, const std::string& args) {
  const Result<Stack> stack = bound(op, args);
  return stack ? "no error" : stack.error().text;
}

TEST(Arguments, FillsDefaultsInTheSchemasOrder) {
  const Result<Stack> stack = bound("aten::add.Tensor", "((T([2, 3], f32), T([2, 3], f32)), {})");
  ASSERT_TRUE(stack) << stack.error().text;
  ASSERT_EQ(stack->size(), 3U);
  EXPECT_THAT(stack->at(0).toTensor().sizes().vec(), ElementsAre(2, 3));
  EXPECT_EQ(stack->at(0).toTensor().scalar_type(), at::kFloat);
  EXPECT_EQ(stack->at(2).toInt(), 1);
}

TEST(Arguments, ACloneKeepsTheMemoryAroundAView) {
  const at::Tensor whole = bound("aten::relu", "((T([20], f32),), {})")->at(0).toTensor();
  const at::Tensor view = whole.as_strided({2, 2}, {1, 2}, 10);
  const at::Tensor copy = cloneArguments(Stack{view}).at(0).toTensor();
  EXPECT_TRUE(copy.equal(view));
  EXPECT_TRUE(copy.as_strided({20}, {1}, 0).equal(whole));
  EXPECT_NE(copy.data_ptr(), view.data_ptr());
}

TEST(Arguments, TakesKeywordsByName) {
  const Result<Stack> stack =
      bound("aten::add.Tensor", "((T([2], f32),), {'alpha': 3, 'other': T([2], f32)})");
  ASSERT_TRUE(stack) << stack.error().text;
  EXPECT_EQ(stack->at(2).toInt(), 3);
}

TEST(Arguments, TakesOneTensorWithoutTuple) {
  EXPECT_TRUE(bound("aten::relu", "((T([2], f32)), {})"));
}

TEST(Arguments, SaysWhichKeywordIsUnknown) {
  EXPECT_THAT(bindError("aten::relu", "((T([2], f32),), {'beta': 1})"), HasSubstr("no argument 'beta'"));
}

TEST(Arguments, SaysWhichArgumentIsMissing) {
  EXPECT_THAT(bindError("aten::add.Tensor", "((T([2], f32),), {})"), HasSubstr("'other' is missing"));
}

TEST(Arguments, RefusesTwoValuesForOneArgument) {
  EXPECT_THAT(bindError("aten::relu", "((T([2], f32),), {'self': T([2], f32)})"),
              HasSubstr("two values for argument 'self'"));
}

TEST(Arguments, RefusesTooManyPositionalArguments) {
  EXPECT_THAT(bindError("aten::relu", "((T([2], f32), 1), {})"), HasSubstr("takes 1 positional arguments"));
}

TEST(Arguments, NamesTheArgumentThatDoesNotFit) {
  const std::string text = bindError("aten::sum.dim_IntList", "((T([2], f32), 'x'), {})");
  EXPECT_THAT(text, HasSubstr("'dim'"));
  EXPECT_THAT(text, HasSubstr("does not fit"));
}

TEST(Arguments, OneIntegerFillsAFixedSizeList) {
  const Result<Stack> stack = bound("aten::sum.dim_IntList", "((T([2, 3], f32), 1), {})");
  ASSERT_TRUE(stack) << stack.error().text;
  EXPECT_THAT(stack->at(1).toIntVector(), ElementsAre(1));
  const Result<Stack> pool = bound("aten::avg_pool2d", "((T([1, 1, 4, 4], f32), 2), {})");
  ASSERT_TRUE(pool) << pool.error().text;
  EXPECT_THAT(pool->at(1).toIntVector(), ElementsAre(2, 2));
}

TEST(Arguments, TakesListsOfTensors) {
  const Result<Stack> stack = bound("aten::cat", "(([T([2], f32), T([3], f32)],), {})");
  ASSERT_TRUE(stack) << stack.error().text;
  EXPECT_EQ(stack->at(0).toTensorVector().size(), 2U);
}

TEST(Arguments, TakesDtypesAsEnumerators) {
  for (const char* dtype : {"f64", "torch.float64", "th.float64"}) {
    const Result<Stack> stack = bound("aten::sum", std::string("((T([2], f32),), {'dtype': ") + dtype + "})");
    ASSERT_TRUE(stack) << dtype << ": " << stack.error().text;
    EXPECT_EQ(stack->at(1).toInt(), static_cast<std::int64_t>(at::kDouble));
  }
}

TEST(Arguments, NumbersForTensorsAreWeakInPromotion) {
  const Result<Stack> stack = bound("aten::mul.Tensor", "((T([2], f16), 2.5), {})");
  ASSERT_TRUE(stack) << stack.error().text;
  EXPECT_TRUE(stack->at(1).toTensor().unsafeGetTensorImpl()->is_wrapped_number());
}

TEST(Arguments, AreTheSameForTheSameSeedAndDifferForAnother) {
  const char* args = "((T([64], f32), T([64], f32)), {})";
  const Stack a = *bound("aten::add.Tensor", args, 1), b = *bound("aten::add.Tensor", args, 1),
              c = *bound("aten::add.Tensor", args, 2);
  EXPECT_TRUE(a[0].toTensor().equal(b[0].toTensor()));
  EXPECT_FALSE(a[0].toTensor().equal(c[0].toTensor()));
  EXPECT_FALSE(a[0].toTensor().equal(a[1].toTensor()));
}

TEST(Tensors, FloatsHaveBothSignsAndNoZeros) {
  for (const char* dtype : {"f16", "bf16", "f32", "f64"}) {
    const at::Tensor values = makeTensor({{4096}, dtype, false, {}}, at::kCPU, 3);
    EXPECT_TRUE(values.lt(0).any().item<bool>()) << dtype;
    EXPECT_TRUE(values.gt(0).any().item<bool>()) << dtype;
    EXPECT_FALSE(values.eq(0).any().item<bool>()) << dtype;
    EXPECT_NEAR(values.to(at::kDouble).std().item<double>(), 1, 0.1) << dtype;
  }
}

TEST(Tensors, EveryKnownDtypeCanBeMade) {
  for (const char* dtype :
       {"f64", "f32", "f16", "bf16", "c32", "c64", "c128", "i64", "i32", "i16", "i8", "u8", "b8",
        "torch.uint16", "torch.uint32", "torch.uint64", "torch.float8_e4m3fn"}) {
    const std::optional<at::ScalarType> type = scalarType(dtype);
    ASSERT_TRUE(type) << dtype;
    EXPECT_EQ(makeTensor({{5}, dtype, false, {}}, at::kCPU, 3).scalar_type(), *type) << dtype;
  }
}

TEST(Tensors, IntegersAreSmallAndUnsignedOnesNotNegative) {
  const at::Tensor i32 = makeTensor({{4096}, "i32", false, {}}, at::kCPU, 3);
  EXPECT_EQ(i32.min().item<int>(), -9);
  EXPECT_EQ(i32.max().item<int>(), 9);
  EXPECT_EQ(makeTensor({{4096}, "u8", false, {}}, at::kCPU, 3).min().item<int>(), 0);
}

TEST(Tensors, StridedOnesViewAnExtent) {
  const at::Tensor transposed = makeTensor({{3, 4}, "f32", true, {1, 3}}, at::kCPU, 3);
  EXPECT_THAT(transposed.strides().vec(), ElementsAre(1, 3));
  const at::Tensor expanded = makeTensor({{3, 4}, "f32", true, {0, 1}}, at::kCPU, 3);
  EXPECT_TRUE(expanded.select(0, 0).equal(expanded.select(0, 2)));
  EXPECT_EQ(makeTensor({{0, 4}, "f32", true, {9, 1}}, at::kCPU, 3).numel(), 0);
}

TEST(Clones, KeepStridesAndShareNothing) {
  const at::Tensor expanded = makeTensor({{3, 4}, "f32", true, {0, 1}}, at::kCPU, 3);
  const at::Tensor gapped = makeTensor({{3, 4}, "f32", true, {8, 2}}, at::kCPU, 3);
  const Stack copies = cloneArguments({expanded, gapped, c10::List<at::Tensor>({gapped}), 3, at::Tensor()});
  for (std::size_t i = 0; i < 2; ++i) {
    const at::Tensor original = i == 0 ? expanded : gapped, copy = copies[i].toTensor();
    EXPECT_TRUE(copy.equal(original));
    EXPECT_EQ(copy.strides().vec(), original.strides().vec());
    EXPECT_NE(copy.const_data_ptr(), original.const_data_ptr());
  }
  EXPECT_TRUE(copies[2].toTensorVector()[0].equal(gapped));
  EXPECT_NE(copies[2].toTensorVector()[0].const_data_ptr(), gapped.const_data_ptr());
  EXPECT_EQ(copies[3].toInt(), 3);
  EXPECT_FALSE(copies[4].toTensor().defined());
}

TEST(Clones, KeepNumbersWeak) {
  const Result<Stack> stack = bound("aten::mul.Tensor", "((T([2], f16), 2.5), {})");
  EXPECT_TRUE(cloneArguments(*stack)[1].toTensor().unsafeGetTensorImpl()->is_wrapped_number());
}

TEST(Seeds, NeighboursGiveUnlikeSeeds) {
  EXPECT_NE(mixSeeds(1, 2), mixSeeds(2, 1));
  EXPECT_NE(mixSeeds(0, 0), mixSeeds(0, 1));
  EXPECT_NE(mixSeeds(0, 0), 0U);
}

}  // namespace
}  // namespace wb
