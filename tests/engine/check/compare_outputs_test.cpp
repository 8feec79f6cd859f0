// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ATen/core/List.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <limits>

#include "core/engine/check/check.h"

namespace wb {
namespace {

using testing::HasSubstr;

const Tolerance torchPreset{"torch", 0, 0}, strict{"strict", 0, 0}, backendBench{"backendbench", 0, 0};
const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();

at::Tensor floats(const std::vector<float>& values) {
  return at::tensor(values);
}

TEST(Bounds, AreTorchTestings) {
  EXPECT_EQ(bounds(torchPreset, at::kHalf).rtol, 1e-3);
  EXPECT_EQ(bounds(torchPreset, at::kBFloat16).rtol, 1.6e-2);
  EXPECT_EQ(bounds(torchPreset, at::kFloat).rtol, 1.3e-6);
  EXPECT_EQ(bounds(torchPreset, at::kDouble).atol, 1e-7);
  EXPECT_EQ(bounds(torchPreset, at::kLong).atol, 0);
  EXPECT_EQ(bounds(backendBench, at::kLong).atol, 1e-2);
  EXPECT_EQ(bounds({"given", 0.5, 0.25}, at::kHalf).rtol, 0.5);
}

TEST(CompareOutputs, PassesEqualValuesWithZeroErrors) {
  const CaseCheck check = compareOutputs({floats({1, 2, 3})}, {floats({1, 2, 3})}, {}, torchPreset);
  EXPECT_EQ(check.verdict, Verdict::pass);
  EXPECT_EQ(check.errors->maxAbs, 0);
  EXPECT_EQ(check.errors->elements, 3);
  EXPECT_EQ(check.rtol, 1.3e-6);
}

TEST(CompareOutputs, SaysWhereHowManyAndWhat) {
  const at::Tensor expected = at::arange(20, at::kFloat).reshape({4, 5});
  at::Tensor actual = expected.clone();
  actual.view(-1).select(0, 13).fill_(13.5);
  actual.view(-1).select(0, 17).fill_(0);
  const CaseCheck check = compareOutputs({actual}, {expected}, {}, torchPreset);
  EXPECT_EQ(check.verdict, Verdict::mismatch);
  EXPECT_EQ(check.errors->mismatches, 2);
  EXPECT_EQ(check.errors->firstBadIndex, "[2, 3]");
  EXPECT_EQ(check.errors->expected, "13");
  EXPECT_EQ(check.errors->actual, "13.5");
  EXPECT_EQ(check.errors->maxAbs, 17);
  EXPECT_EQ(check.errors->maxRel, 1);
  EXPECT_THAT(check.message, HasSubstr("[2, 3]"));
}

TEST(CompareOutputs, CountsErrorsInUnitsInTheLastPlace) {
  const float next = std::nextafter(1.0F, 2.0F), third = std::nextafter(std::nextafter(next, 2.0F), 2.0F);
  EXPECT_EQ(compareOutputs({floats({third})}, {floats({1})}, {}, torchPreset).errors->maxUlp, 3);
  const at::Tensor half = at::ones({1}, at::kHalf), nextHalf = half.add(0.0009765625);
  EXPECT_EQ(compareOutputs({nextHalf}, {half}, {}, torchPreset).errors->maxUlp, 1);
  const float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(compareOutputs({floats({3 * tiny})}, {floats({tiny})}, {}, torchPreset).errors->maxUlp, 2);
}

TEST(CompareOutputs, NonFiniteValuesMustStandAtTheSamePlaces) {
  const auto verdict = [](const at::Tensor& actual, const at::Tensor& expected) {
    return compareOutputs({actual}, {expected}, {}, torchPreset).verdict;
  };
  EXPECT_EQ(verdict(floats({nan, inf, -inf}), floats({nan, inf, -inf})), Verdict::pass);
  EXPECT_EQ(verdict(floats({1, nan}), floats({1, 2})), Verdict::mismatch);
  EXPECT_EQ(verdict(floats({1, 2}), floats({1, nan})), Verdict::mismatch);
  EXPECT_EQ(verdict(floats({inf}), floats({-inf})), Verdict::mismatch);
  EXPECT_EQ(verdict(floats({1e30F}), floats({inf})), Verdict::mismatch) << "rtol times infinity is no excuse";
}

TEST(CompareOutputs, StructureComesBeforeValues) {
  const auto verdict = [](const Stack& actual, const Stack& expected) {
    return compareOutputs(actual, expected, {}, torchPreset).verdict;
  };
  EXPECT_EQ(verdict({floats({1}), floats({1})}, {floats({1})}), Verdict::wrongCount);
  EXPECT_EQ(verdict({}, {floats({1})}), Verdict::wrongCount);
  EXPECT_EQ(verdict({at::ones({2, 3})}, {at::ones({3, 2})}), Verdict::wrongShape);
  EXPECT_EQ(verdict({at::ones({1})}, {at::ones({})}), Verdict::wrongShape);
  EXPECT_EQ(verdict({at::ones({2}, at::kDouble)}, {at::ones({2})}), Verdict::wrongDtype);
  EXPECT_EQ(verdict({at::ones({2}, at::kMeta)}, {at::ones({2})}), Verdict::wrongDevice);
  EXPECT_EQ(verdict({at::Tensor()}, {at::ones({2})}), Verdict::wrongCount);
  EXPECT_EQ(verdict({at::Tensor()}, {at::Tensor()}), Verdict::pass);
}

TEST(CompareOutputs, EmptyOutputsAreComparedByShapeAndType) {
  EXPECT_EQ(compareOutputs({at::ones({0, 3})}, {at::ones({0, 3})}, {}, torchPreset).verdict, Verdict::pass);
  EXPECT_EQ(compareOutputs({at::ones({3, 0})}, {at::ones({0, 3})}, {}, torchPreset).verdict,
            Verdict::wrongShape);
}

TEST(CompareOutputs, TakesNumbersListsAndTuplesApart) {
  EXPECT_EQ(compareOutputs({c10::List<at::Tensor>({floats({1}), floats({2})})},
                           {c10::List<at::Tensor>({floats({1}), floats({2})})}, {}, torchPreset)
                .verdict,
            Verdict::pass);
  EXPECT_EQ(compareOutputs({2.0}, {2.0}, {}, torchPreset).verdict, Verdict::pass);
  EXPECT_EQ(compareOutputs({true}, {false}, {}, torchPreset).verdict, Verdict::mismatch);
  const CaseCheck second =
      compareOutputs({floats({1}), floats({5})}, {floats({1}), floats({2})}, {}, torchPreset);
  EXPECT_EQ(second.errors->firstBadIndex, "out1 [0]");
}

TEST(CompareOutputs, IntegersAndBooleansAreExact) {
  EXPECT_EQ(
      compareOutputs({at::full({3}, 7, at::kLong)}, {at::full({3}, 8, at::kLong)}, {}, torchPreset).verdict,
      Verdict::mismatch);
  // A float64 could not tell these apart.
  const std::int64_t large = (std::int64_t{1} << 60) + 1;
  EXPECT_EQ(compareOutputs({at::full({1}, large, at::kLong)}, {at::full({1}, large - 1, at::kLong)}, {},
                           torchPreset)
                .errors->mismatches,
            1);
  EXPECT_EQ(compareOutputs({at::ones({2}, at::kBool)}, {at::zeros({2}, at::kBool)}, {}, torchPreset).verdict,
            Verdict::mismatch);
}

TEST(CompareOutputs, ComplexNumbersGoByTheirDistance) {
  const at::Tensor expected = at::full({2}, c10::complex<double>(1, 1), at::kComplexDouble);
  EXPECT_EQ(compareOutputs({expected.clone()}, {expected}, {}, torchPreset).verdict, Verdict::pass);
  EXPECT_EQ(compareOutputs({expected.add(0.1)}, {expected}, {}, torchPreset).verdict, Verdict::mismatch);
}

TEST(CompareOutputs, StridesDoNotMatter) {
  const at::Tensor expected = at::arange(6, at::kFloat).reshape({2, 3});
  EXPECT_EQ(compareOutputs({expected.t().contiguous().t()}, {expected}, {}, torchPreset).verdict,
            Verdict::pass);
}

TEST(CompareOutputs, BackendBenchIsRelativeToTheCandidate) {
  // |c − e| = 1.0300; 1e-2 + 1e-2·|c| = 1.0303, but 1e-2 + 1e-2·|e| = 1.02
  EXPECT_EQ(compareOutputs({floats({102.03F})}, {floats({101})}, {}, backendBench).verdict, Verdict::pass);
  EXPECT_EQ(compareOutputs({floats({101})}, {floats({102.03F})}, {}, backendBench).verdict,
            Verdict::mismatch);
}

TEST(CompareOutputs, TheOracleForgivesWhatAtenItselfGetsWrong) {
  const at::Tensor oracle = at::full({2}, 100.0, at::kDouble);
  const at::Tensor aten = floats({100.001F, 100}), candidate = floats({99.9985F, 100});
  EXPECT_EQ(compareOutputs({candidate}, {aten}, {}, torchPreset).verdict, Verdict::mismatch);
  const CaseCheck forgiven = compareOutputs({candidate}, {aten}, {oracle}, torchPreset);
  EXPECT_EQ(forgiven.verdict, Verdict::pass);
  EXPECT_THAT(forgiven.message, HasSubstr("twice"));
  EXPECT_EQ(compareOutputs({floats({99.99F, 100})}, {aten}, {oracle}, torchPreset).verdict,
            Verdict::mismatch);
}

TEST(CompareOutputs, StrictIsTheOracleRuleAlone) {
  const at::Tensor oracle = at::full({1}, 1.0, at::kDouble);
  const float next = std::nextafter(1.0F, 2.0F), second = std::nextafter(next, 2.0F),
              third = std::nextafter(second, 2.0F);
  EXPECT_EQ(compareOutputs({floats({second})}, {floats({1})}, {oracle}, strict).verdict, Verdict::pass);
  EXPECT_EQ(compareOutputs({floats({third})}, {floats({1})}, {oracle}, strict).verdict, Verdict::mismatch);
  EXPECT_EQ(compareOutputs({floats({third})}, {floats({1})}, {oracle}, torchPreset).verdict, Verdict::pass);
  EXPECT_EQ(compareOutputs({at::ones({1}, at::kInt)}, {at::zeros({1}, at::kInt)}, {at::zeros({1}, at::kInt)},
                           strict)
                .verdict,
            Verdict::mismatch);
}

TEST(CompareOutputs, FindsALoneBadElementInMillions) {
  constexpr std::int64_t elements = 3'000'001;
  const at::Tensor expected = at::ones({elements});
  at::Tensor actual = expected.clone();
  actual.select(0, elements - 2).fill_(2);
  const CaseCheck check = compareOutputs({actual}, {expected}, {}, torchPreset);
  EXPECT_EQ(check.errors->mismatches, 1);
  EXPECT_EQ(check.errors->firstBadIndex, "[2999999]");
}

TEST(ZerosPass, TellsCasesThatCannotFail) {
  EXPECT_TRUE(zerosPass({at::zeros({10})}, torchPreset));
  EXPECT_TRUE(zerosPass({floats({1e-6F})}, torchPreset));
  EXPECT_FALSE(zerosPass({floats({0, 1})}, torchPreset));
  EXPECT_FALSE(zerosPass({at::zeros({0})}, torchPreset)) << "an empty output is checked for its shape";
  EXPECT_FALSE(zerosPass({at::zeros({3}, at::kLong)}, torchPreset));
  at::Tensor late = at::zeros({100'000});
  late.select(0, 99'999).fill_(1);
  EXPECT_FALSE(zerosPass({late}, torchPreset));
}

}  // namespace
}  // namespace wb
