// SPDX-License-Identifier: Apache-2.0
// Whether a kernel looks at the lists and numbers that its suite gives.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/engine/pipeline/further/questioned.h"

namespace wb {
namespace {

constexpr const char* roll = "aten::roll";
constexpr const char* byOne = "((T([8, 16], f32), [1], [1]), {})";

TEST(FurtherQuestions, OneThatIsMadeForAListOfWholeNumbersIsSaidTo) {
  const auto one = [](const Stack& a) -> Stack { return {a[0].toTensor().roll(1, 1)}; };
  const CaseCheck wrong = checked(one, longEnough, roll, byOne);
  EXPECT_EQ(wrong.verdict, Verdict::pass) << wrong.message;
  EXPECT_EQ(wrong.elsewhere, "wrong with another argument: shifts = [2]");
  const auto any = [](const Stack& a) -> Stack { return {a[0].toTensor().roll(a[1].toIntVector(), 1)}; };
  EXPECT_EQ(checked(any, longEnough, roll, byOne).elsewhere, "") << "a dimension may be taken for granted";
}

TEST(FurtherQuestions, OneThatRefusesOtherListsIsNotWrong) {
  const auto refuses = [](const Stack& a) -> Stack {
    if (a[1].toIntVector() != std::vector<std::int64_t>{1}) throw std::runtime_error("rolls by one alone");
    return {a[0].toTensor().roll(1, 1)};
  };
  EXPECT_EQ(checked(refuses, longEnough, roll, byOne).elsewhere, "");
}

TEST(FurtherQuestions, ListsThatNoCaseGivesAreAskedForToo) {
  constexpr const char* pooled = "((T([2, 3, 8, 8], f32), [2, 2], [2, 2]), {})";
  const auto noPadding = [](const Stack& a) -> Stack {
    return {at::avg_pool2d(a[0].toTensor(), a[1].toIntVector(), a[2].toIntVector())};
  };
  EXPECT_EQ(checked(noPadding, longEnough, "aten::avg_pool2d", pooled).elsewhere,
            "wrong with another argument: padding = [1, 1]");
}

TEST(FurtherQuestions, OneThatTakesTwoTensorsOfAListIsSaidTo) {
  const auto two = [](const Stack& a) -> Stack {
    const std::vector<at::Tensor> all = a[0].toTensorVector();
    return {at::cat({all.at(0), all.at(1)}, a[1].toInt())};
  };
  constexpr const char* both = "(([T([8, 16], f32), T([8, 16], f32)], 0), {})";
  EXPECT_EQ(checked(two, longEnough, "aten::cat", both).elsewhere,
            "wrong with another argument: tensors = 3 tensors");
}

/// The check of a kernel, and what there is to know that is no word against it.
std::string notedOf(const LambdaCandidate::Kernel& kernel, const std::string& op, const std::string& args) {
  const Questioned asked(kernel, longEnough, op, args);
  const CaseCheck check = checked(asked);
  EXPECT_EQ(check.verdict, Verdict::pass) << check.message;
  EXPECT_EQ(check.elsewhere, "");
  return asked.further.remark.note;
}

TEST(FurtherQuestions, ThereIsANoteOnOneThatIsMadeForATruthOrADimension) {
  constexpr const char* rows = "((T([8, 16], f32), -1, False), {})";
  const auto rising = [](const Stack& a) -> Stack {
    auto [values, places] = at::sort(a[0].toTensor(), a[1].toInt(), false);
    return {values, places};
  };
  EXPECT_EQ(notedOf(rising, "aten::sort", rows),
            "The kernel is made for the arguments of its cases: it is wrong with descending = True.");
  const auto inRows = [](const Stack& a) -> Stack { return {a[0].toTensor().cumsum(-1)}; };
  EXPECT_EQ(notedOf(inRows, "aten::cumsum", "((T([8, 16], f32), -1), {})"),
            "The kernel is made for the arguments of its cases: it is wrong with dim = 0.");
  const auto asTold = [](const Stack& a) -> Stack {
    auto [values, places] = at::sort(a[0].toTensor(), a[1].toInt(), a[2].toBool());
    return {values, places};
  };
  EXPECT_EQ(notedOf(asTold, "aten::sort", rows), "");
}

TEST(FurtherQuestions, AnOrderThatIsNotPromisedIsNotAskedFor) {
  const auto sorted = [](const Stack& a) -> Stack {
    auto [values, places] = at::topk(a[0].toTensor(), a[1].toInt(), a[2].toInt(), a[3].toBool(), true);
    return {values, places};
  };
  EXPECT_EQ(notedOf(sorted, "aten::topk", "((T([8, 16], f32), 3, -1, True, True), {})"), "");
}

TEST(FurtherQuestions, TensorsThatEachCaseGivesAreLeftOut) {
  constexpr const char* given = "((T([8, 16], f32), [16], T([16], f32), T([16], f32), 1e-05), {})";
  const auto zeros = [](const Stack& a) -> Stack {
    const at::Tensor x = a[0].toTensor();
    if (!a[2].isTensor() || !a[2].toTensor().defined()) return {at::zeros_like(x)};
    const std::optional<at::Tensor> bias = a[3].toOptional<at::Tensor>();
    return {at::layer_norm(x, {16}, a[2].toTensor(), bias, a[4].toDouble())};
  };
  EXPECT_EQ(checked(zeros, longEnough, "aten::layer_norm", given).elsewhere,
            "wrong without a tensor for 'weight'");
}

TEST(FurtherQuestions, SizesStayWhereAScaleSaysTheSame) {
  constexpr const char* byScale = "((T([1, 2, 8, 8], f32), [16, 16], False, 2.0, 2.0), {})";
  const auto twice = [](const Stack& a) -> Stack {
    return {
        at::upsample_bilinear2d(a[0].toTensor(), {2 * a[0].toTensor().size(2), 16}, a[2].toBool(), 2.0, 2.0)};
  };
  EXPECT_EQ(checked(twice, longEnough, "aten::upsample_bilinear2d", byScale).elsewhere.find("argument"),
            std::string::npos);
}

TEST(FurtherQuestions, AProductOfWholeNumbersIsAskedForInAllItsBits) {
  constexpr const char* wholes = "((T([8, 16], i64), T([8, 16], i64)), {})";
  const auto low = [](const Stack& a) -> Stack {
    return {(a[0].toTensor().to(at::kInt) * a[1].toTensor().to(at::kInt)).to(at::kLong)};
  };
  EXPECT_EQ(checked(low, longEnough, "aten::mul.Tensor", wholes).elsewhere,
            "wrong with other values: whole numbers that take more bits");
}

TEST(FurtherQuestions, OneThatDrawsWithoutItsProbabilityIsSaidTo) {
  constexpr const char* half = "((T([32, 64], f32), 0.5, True), {})";
  const auto known = [](const Stack& a) -> Stack {
    auto [result, mask] = at::native_dropout(a[0].toTensor(), 0.5, true);
    return {result, mask};
  };
  const CaseCheck wrong = checked(known, longEnough, "aten::native_dropout", half);
  EXPECT_EQ(wrong.verdict, Verdict::pass) << wrong.message;
  EXPECT_EQ(wrong.elsewhere, "wrong with another number: p = 0.25");
  const auto asTold = [](const Stack& a) -> Stack {
    auto [result, mask] = at::native_dropout(a[0].toTensor(), a[1].toDouble(), true);
    return {result, mask};
  };
  EXPECT_EQ(checked(asTold, longEnough, "aten::native_dropout", half).elsewhere, "");
}

TEST(FurtherQuestions, AttentionWithoutDropoutIsNotAskedWithSome) {
  constexpr const char* plain =
      "((T([1, 2, 8, 16], f32), T([1, 2, 8, 16], f32), T([1, 2, 8, 16], f32), None, 0.0), {})";
  const auto attends = [](const Stack& a) -> Stack {
    const at::Tensor products = at::matmul(a[0].toTensor(), a[1].toTensor().transpose(-1, -2)) / 4;
    return {at::matmul(products.softmax(-1), a[2].toTensor())};
  };
  const CaseCheck check = checked(attends, longEnough, "aten::scaled_dot_product_attention", plain);
  EXPECT_EQ(check.verdict, Verdict::pass) << check.message;
  EXPECT_EQ(check.elsewhere, "");
}

}  // namespace
}  // namespace wb
