// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/List.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <limits>

#include "core/engine/check/compare/check.h"
#include "core/engine/check/compare/outputs.h"

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

TEST(CompareOutputs, ALargeElementsErrorIsNoRoomForASmallOne) {
  // ATen is 100 off at the first element; the second is wrong by what is nothing there.
  const at::Tensor aten = floats({1e8F, 50}), oracle = at::tensor({1e8 + 100, 50.0}, at::kDouble);
  EXPECT_EQ(compareOutputs({floats({1e8F + 200, 50})}, {aten}, {oracle}, torchPreset).verdict, Verdict::pass);
  EXPECT_EQ(compareOutputs({floats({1e8F, 0})}, {aten}, {oracle}, torchPreset).verdict, Verdict::mismatch);
}

TEST(CompareOutputs, ByChanceAtensFewElementsNearZeroAreAlmostRight) {
  // As attention in half precision: each element of both sides is off by one and the same spread, whatever
  // its own size is, and ATen's few smallest ones say little about that.
  std::int64_t wrong = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const at::Generator generator = at::detail::createCPUGenerator(seed);
    const auto drawn = [&](double spread) {
      return at::randn({1 << 18}, generator, at::TensorOptions(at::kDouble)).mul(spread);
    };
    const at::Tensor oracle = drawn(0.05), aten = oracle.add(drawn(1e-5)).to(at::kHalf),
                     candidate = oracle.add(drawn(1e-5)).to(at::kHalf);
    EXPECT_EQ(compareOutputs({candidate}, {aten}, {}, torchPreset).verdict, Verdict::mismatch);
    wrong += compareOutputs({candidate}, {aten}, {oracle}, torchPreset).errors->mismatches;
    // An element that is off by much more is still wrong.
    const at::Tensor smallest = oracle.abs().argmin();
    candidate.select(0, smallest.item<std::int64_t>()).add_(1e-4);
    EXPECT_EQ(compareOutputs({candidate}, {aten}, {oracle}, torchPreset).verdict, Verdict::mismatch);
  }
  EXPECT_EQ(wrong, 0);
}

TEST(CompareOutputs, AnExpandedOracleIsReadByItsStrides) {
  const at::Tensor oracle = at::tensor({100.0, 1e9}, at::kDouble).slice(0, 0, 1).expand({50});
  const at::Tensor aten = at::full({50}, 100, at::kFloat);
  const CaseCheck check = compareOutputs({aten.add(0.5)}, {aten}, {oracle}, torchPreset);
  EXPECT_EQ(check.verdict, Verdict::mismatch);
  EXPECT_EQ(check.errors->oracleReferenceAbs, 0);
}

TEST(CompareOutputs, FewBadElementsOfTheReferenceForgiveFew) {
  // Twenty in a thousand are off by 1: so may as many of the candidate's be, but not all of them.
  const at::Tensor oracle = at::full({1000}, 100, at::kDouble);
  const at::Tensor aten = oracle.to(at::kFloat);
  aten.slice(0, 0, 20).add_(1);
  const auto candidate = [&](std::int64_t bad) {
    const at::Tensor values = oracle.to(at::kFloat);
    values.slice(0, 0, 20).copy_(aten.slice(0, 0, 20));
    values.slice(0, 500, 500 + bad).sub_(0.5);
    return compareOutputs({values}, {aten}, {oracle}, torchPreset);
  };
  EXPECT_EQ(candidate(40).verdict, Verdict::pass) << candidate(40).message;
  EXPECT_EQ(candidate(40).errors->forgiven, 40);
  EXPECT_EQ(candidate(400).verdict, Verdict::mismatch);
  EXPECT_EQ(candidate(400).errors->mismatches, 400) << "then none is forgiven";
}

TEST(CompareOutputs, RoomForRoundingIsElementByElement) {
  const at::Tensor aten = floats({1, 1, 1}), room = at::tensor({1e-3, 1e-3, 0.0}, at::kDouble);
  const CaseCheck check = compareOutputs({floats({1.0005F, 1, 1})}, {aten}, {}, torchPreset, {{room}, 8192});
  EXPECT_EQ(check.verdict, Verdict::pass);
  EXPECT_EQ(check.errors->forgiven, 1);
  EXPECT_THAT(check.message, HasSubstr("8 192 numbers"));
  EXPECT_THAT(check.message, HasSubstr("0.5 of it"));
  EXPECT_FALSE(check.errors->oracleAbs) << "ATen's result stood in for the oracle: no figure of it";
  EXPECT_EQ(compareOutputs({floats({1, 1, 1.0005F})}, {aten}, {}, torchPreset, {{room}, 8192}).verdict,
            Verdict::mismatch);
}

TEST(CompareOutputs, ElementsThatShareMemoryAreNoOutput) {
  const at::Tensor expected = at::ones({4, 5}), row = at::ones({5});
  const CaseCheck check = compareOutputs({row.expand({4, 5})}, {expected}, {}, torchPreset);
  EXPECT_EQ(check.verdict, Verdict::mismatch);
  EXPECT_THAT(check.message, HasSubstr("share memory"));
  EXPECT_EQ(compareOutputs({row.expand({4, 5})}, {row.expand({4, 5})}, {}, torchPreset).verdict,
            Verdict::pass)
      << "as ATen's own do";
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

TEST(CompareOutputs, PercentilesAreOverAllElements) {
  const at::Tensor expected = at::zeros({1000});
  at::Tensor actual = expected.clone();
  actual.slice(0, 0, 600).fill_(0.25);
  actual.slice(0, 0, 11).fill_(4);
  const ErrorFigures errors = *compareOutputs({actual}, {expected}, {}, torchPreset).errors;
  EXPECT_EQ(errors.p50Abs, 0.25);
  EXPECT_EQ(errors.p99Abs, 4);
  EXPECT_EQ(errors.maxAbs, 4);
  actual.slice(0, 0, 3).fill_(nan);
  EXPECT_EQ(compareOutputs({actual}, {expected}, {}, torchPreset).errors->p99Abs, 0.25) << "of finite ones";
}

TEST(CompareOutputs, PercentilesOfMillionsComeFromASample) {
  const at::Tensor expected = at::zeros({5'000'000});
  at::Tensor actual = expected.clone();
  actual.slice(0, 0, 3'000'000).fill_(2);
  const ErrorFigures errors = *compareOutputs({actual}, {expected}, {}, torchPreset).errors;
  EXPECT_EQ(errors.p50Abs, 2);
  EXPECT_EQ(errors.cluster, "the first 3000000 elements");
  EXPECT_EQ(errors.mismatches, 3'000'000);
}

TEST(CompareOutputs, BothSidesErrorsAgainstTheOracle) {
  const at::Tensor oracle = at::full({2}, 100.0, at::kDouble);
  const ErrorFigures errors =
      *compareOutputs({floats({100.5F, 100})}, {floats({100, 99.75F})}, {oracle}, torchPreset).errors;
  EXPECT_EQ(errors.oracleAbs, 0.5);
  EXPECT_EQ(errors.oracleReferenceAbs, 0.25);
  const ErrorFigures without = *compareOutputs({floats({1})}, {floats({1})}, {}, torchPreset).errors;
  EXPECT_FALSE(without.oracleAbs);
  const ErrorFigures same =
      *compareOutputs({floats({99, 100})}, {floats({99, 100})}, {oracle}, torchPreset).errors;
  EXPECT_EQ(same.oracleAbs, 1);
}

TEST(CompareOutputs, TheOracleForgivesUnderNoOtherPreset) {
  const at::Tensor oracle = at::full({1}, 100.5, at::kDouble);
  const CaseCheck check = compareOutputs({floats({101})}, {floats({100})}, {oracle}, {"given", 1e-6, 0});
  EXPECT_EQ(check.verdict, Verdict::mismatch);
  EXPECT_EQ(check.errors->oracleAbs, 0.5);
}

TEST(CompareOutputs, AListIsNoTensorAndASubclassIsNotLookedInto) {
  const c10::List<at::Tensor> list({floats({1})});
  EXPECT_EQ(compareOutputs({list}, {floats({1})}, {}, torchPreset).verdict, Verdict::wrongCount);
  EXPECT_EQ(compareOutputs({floats({1})}, {list}, {}, torchPreset).verdict, Verdict::wrongCount);
  const CaseCheck none = compareOutputs({c10::IValue()}, {floats({1})}, {}, torchPreset);
  EXPECT_EQ(none.verdict, Verdict::wrongCount);
  EXPECT_THAT(none.message, HasSubstr("got None"));
  const CaseCheck number = compareOutputs({1.0}, {floats({1}).reshape({})}, {}, torchPreset);
  EXPECT_EQ(number.verdict, Verdict::wrongDtype);
  EXPECT_THAT(number.message, HasSubstr("a number"));
  const at::Tensor eye = at::ones({2, 2});
  EXPECT_THAT(compareOutputs({eye.to_sparse()}, {eye}, {}, torchPreset).message, HasSubstr("layout"));
}

TEST(CompareOutputs, ConjugatedViewsAreReadAsTheyCount) {
  const at::Tensor z = at::full({2}, c10::complex<double>(1, 2), at::kComplexDouble);
  EXPECT_EQ(compareOutputs({z.conj().clone()}, {z.conj()}, {}, torchPreset).verdict, Verdict::pass);
  EXPECT_EQ(compareOutputs({z}, {z.conj()}, {}, torchPreset).verdict, Verdict::mismatch);
}

/// Does its work when somebody asks for its sizes.
class Later final : public c10::TensorImpl {
 public:
  explicit Later(const at::Tensor& like)
      : c10::TensorImpl(c10::Storage(like.storage()), like.key_set(), like.dtype()) {
    set_sizes_and_strides(like.sizes(), like.strides());
    set_custom_sizes_strides(SizesStridesPolicy::CustomSizes);
  }
  int asked = 0;

 protected:
  c10::IntArrayRef sizes_custom() const override {
    ++const_cast<Later*>(this)->asked;
    return sizes_default();
  }
};

TEST(CompareOutputs, ATensorOfAClassOfItsOwnIsNotAskedForAnything) {
  const auto later = c10::make_intrusive<Later>(floats({1, 2}));
  const Stack results{at::Tensor(later)};
  later->asked = 0;
  EXPECT_NE(strangeResult(results), "");
  EXPECT_EQ(compareOutputs(results, {floats({1, 2})}, {}, torchPreset).verdict, Verdict::mismatch);
  EXPECT_EQ(later->asked, 0);
  EXPECT_EQ(strangeResult({floats({1, 2}), c10::IValue(std::vector<at::Tensor>{floats({3})}), 4}), "");
}

}  // namespace
}  // namespace wb
