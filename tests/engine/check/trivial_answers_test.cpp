// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/trivial/trivial_answers.h"

#include <gmock/gmock.h>

#include <ATen/core/List.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <limits>

#include "core/engine/reference/operator.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> trivial(const std::string& op, const Stack& arguments, const Stack& expected,
                                 const std::string& preset = "torch") {
  return trivialAnswers(findOperator(op)->schema(), arguments, expected, {preset, 0, 0});
}

at::Tensor floats(const std::vector<float>& values) {
  return at::tensor(values);
}

TEST(TrivialAnswers, ZerosAndOnesWithinTolerance) {
  const Stack input{floats({3, 4})};
  EXPECT_THAT(trivial("aten::relu", input, {at::zeros({2})}), ElementsAre("zeros"));
  EXPECT_THAT(trivial("aten::relu", input, {floats({1e-6F, 0})}), ElementsAre("zeros"));
  EXPECT_THAT(trivial("aten::relu", input, {floats({1, 1.0000001F})}), ElementsAre("ones"));
  EXPECT_THAT(trivial("aten::relu", input, {floats({0, 1})}), IsEmpty());
  EXPECT_THAT(trivial("aten::relu", input, {floats({0.009F, -0.009F})}), IsEmpty());
  EXPECT_THAT(trivial("aten::relu", input, {floats({0.009F, -0.009F})}, "backendbench"),
              ElementsAre("zeros"));
}

TEST(TrivialAnswers, OfIntegersAndBooleansToo) {
  const Stack input{floats({3, 4})};
  EXPECT_THAT(trivial("aten::relu", input, {at::zeros({2}, at::kLong)}), ElementsAre("zeros"));
  EXPECT_THAT(trivial("aten::relu", input, {at::ones({2}, at::kBool)}), ElementsAre("ones"));
  EXPECT_THAT(trivial("aten::relu", input, {at::full({2}, 2, at::kInt)}), IsEmpty());
  EXPECT_THAT(trivial("aten::relu", input, {at::zeros({2}, at::kComplexFloat)}), ElementsAre("zeros"));
}

TEST(TrivialAnswers, ACopyOfAnInputOfTheSameShapeAndType) {
  EXPECT_THAT(trivial("aten::relu", {floats({3, 4})}, {floats({3, 4})}), ElementsAre("a copy of 'self'"));
  EXPECT_THAT(trivial("aten::relu", {floats({3, 4})}, {at::tensor({3.0, 4.0}, at::kDouble)}), IsEmpty());
  EXPECT_THAT(trivial("aten::add.Tensor", {floats({1, 2}), floats({3, 4}), 1}, {floats({3, 4})}),
              ElementsAre("a copy of 'other'"));
  EXPECT_THAT(
      trivial("aten::cat", {c10::List<at::Tensor>({floats({9}), floats({2, 3})}), 0}, {floats({2, 3})}),
      ElementsAre("a copy of 'tensors[1]'"));
  const at::Tensor t = at::tensor({1.0F, 2.0F, 3.0F, 4.0F}).reshape({2, 2});
  EXPECT_THAT(trivial("aten::relu", {t.t()}, {t}), IsEmpty()) << "by element, not by memory";
}

TEST(TrivialAnswers, AnUntouchedBuffer) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(trivial("aten::relu", {floats({1, 1})}, {floats({nan, nan})}),
              ElementsAre("an untouched buffer"));
  EXPECT_THAT(trivial("aten::relu", {floats({1, 1})}, {at::full({2}, 0xA5, at::kByte)}),
              ElementsAre("an untouched buffer"));
}

TEST(TrivialAnswers, AnAnswerToOtherInputs) {
  const Tolerance tolerance{"torch", 0, 0};
  const Stack expected{floats({1, 2})};
  EXPECT_TRUE(wouldPass({floats({1, 2.000001F})}, expected, tolerance));
  EXPECT_FALSE(wouldPass({floats({1, 2.1F})}, expected, tolerance));
  EXPECT_FALSE(wouldPass({floats({1, 2, 3})}, expected, tolerance)) << "another shape";
  EXPECT_FALSE(wouldPass({floats({1, 2}), floats({1})}, expected, tolerance)) << "more outputs";
  EXPECT_FALSE(wouldPass({at::tensor({1.0, 2.0}, at::kDouble)}, expected, tolerance)) << "another type";
  EXPECT_FALSE(wouldPass({at::zeros({0})}, {at::zeros({0})}, tolerance)) << "nothing to tell by";
}

TEST(TrivialAnswers, MustPassForEveryOutput) {
  EXPECT_THAT(trivial("aten::relu", {floats({2})}, {at::zeros({2}), at::zeros({3})}), ElementsAre("zeros"));
  EXPECT_THAT(trivial("aten::relu", {floats({2})}, {at::zeros({2}), at::ones({3})}), IsEmpty());
}

TEST(TrivialAnswers, LateElementsCount) {
  at::Tensor late = at::zeros({100'000});
  late.select(0, 99'999).fill_(1);
  EXPECT_THAT(trivial("aten::relu", {late.clone().fill_(3)}, {late}), IsEmpty());
  at::Tensor matrix = at::zeros({300, 300});
  matrix.select(0, 299).fill_(2);
  EXPECT_THAT(trivial("aten::relu", {floats({3})}, {matrix.t()}), IsEmpty());
}

TEST(TrivialAnswers, NeitherEmptyOutputsNorNumbersHaveThem) {
  EXPECT_THAT(trivial("aten::relu", {at::zeros({0})}, {at::zeros({0})}), IsEmpty());
  EXPECT_THAT(trivial("aten::relu", {floats({1})}, {true}), IsEmpty());
}

}  // namespace
}  // namespace wb
