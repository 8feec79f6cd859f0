// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check_stage.h"

#include <gmock/gmock.h>

#include <ATen/ops/zeros_like.h>

#include "tests/engine/pipeline/lambda_candidate.h"

namespace wb {
namespace {

using testing::HasSubstr;

const char* relu55 = "((T([5, 5], f32),), {})";

Stack relu(const Stack& arguments) {
  return {arguments[0].toTensor().clamp_min(0)};
}

TEST(CheckCase, PassesARightKernel) {
  Bench bench("aten::relu", relu);
  const CaseCheck check = bench.check(relu55);
  EXPECT_EQ(check.verdict, Verdict::pass) << check.message;
  EXPECT_EQ(check.errors->elements, 25);
  EXPECT_GT(check.seconds, 0);
  ASSERT_EQ(bench.candidate.lastPlan.examples.size(), 1U);
  EXPECT_EQ(bench.candidate.lastPlan.examples[0].numel(), 25);
}

TEST(CheckCase, FindsTheIdentityAndZeros) {
  EXPECT_EQ(Bench("aten::relu", [](const Stack& a) -> Stack { return {a[0].toTensor().clone()}; })
                .check(relu55)
                .verdict,
            Verdict::mismatch);
  EXPECT_EQ(Bench("aten::relu", [](const Stack& a) -> Stack { return {at::zeros_like(a[0].toTensor())}; })
                .check(relu55)
                .verdict,
            Verdict::mismatch);
}

TEST(CheckCase, FindsWrongCountShapeAndDtype) {
  const auto verdict = [](const LambdaCandidate::Kernel& kernel) {
    return Bench("aten::relu", kernel).check(relu55).verdict;
  };
  EXPECT_EQ(verdict([](const Stack&) { return Stack{}; }), Verdict::wrongCount);
  EXPECT_EQ(verdict([](const Stack& a) { return Stack{relu(a)[0], relu(a)[0]}; }), Verdict::wrongCount);
  EXPECT_EQ(verdict([](const Stack& a) { return Stack{relu(a)[0].toTensor().flatten()}; }),
            Verdict::wrongShape);
  EXPECT_EQ(verdict([](const Stack& a) { return Stack{relu(a)[0].toTensor().to(at::kDouble)}; }),
            Verdict::wrongDtype);
  EXPECT_EQ(verdict([](const Stack& a) { return Stack{relu(a)[0].toTensor().to(at::kMeta)}; }),
            Verdict::wrongDevice);
}

TEST(CheckCase, ReportsWhatAKernelThrows) {
  const CaseCheck check = Bench("aten::relu", [](const Stack&) -> Stack {
                            throw std::runtime_error("no such luck");
                          }).check(relu55);
  EXPECT_EQ(check.verdict, Verdict::threw);
  EXPECT_THAT(check.message, HasSubstr("no such luck"));
}

TEST(CheckCase, FindsAChangedInputEvenWithARightAnswer) {
  const CaseCheck check = Bench("aten::relu", [](const Stack& a) -> Stack {
                            return {a[0].toTensor().relu_().clone()};
                          }).check(relu55);
  EXPECT_EQ(check.verdict, Verdict::changedInput);
  EXPECT_THAT(check.message, HasSubstr("'self'"));
}

TEST(CheckCase, InPlaceOperatorsMustChangeTheirInputAndReturnIt) {
  EXPECT_EQ(Bench("aten::relu_", [](const Stack& a) -> Stack { return {a[0].toTensor().clamp_min_(0)}; })
                .check(relu55)
                .verdict,
            Verdict::pass);
  // BackendBench would pass this one: it compares the tensor with itself.
  EXPECT_EQ(Bench("aten::relu_", [](const Stack& a) -> Stack { return {a[0]}; }).check(relu55).verdict,
            Verdict::mismatch);
  EXPECT_EQ(Bench("aten::relu_", [](const Stack& a) -> Stack { return relu(a); }).check(relu55).verdict,
            Verdict::mismatch)
      << "right result, input left alone";
}

TEST(CheckCase, RefusesWhatIsTooLargeMalformedOrNotCompiled) {
  Bench bench("aten::relu", relu);
  EXPECT_THAT(bench.check("((T([1000000, 1000000], f32),), {})").message, HasSubstr("limit"));
  EXPECT_EQ(bench.check("((T([1000000, 1000000], f32),), {})").verdict, Verdict::refused);
  EXPECT_EQ(bench.check("((T([5, 5], f32),").verdict, Verdict::refused);
  EXPECT_EQ(bench.check("((T([5, 5], f32),), {'gamma': 1})").verdict, Verdict::refused);
  bench.candidate.refuses = true;
  const CaseCheck check = bench.check(relu55);
  EXPECT_EQ(check.verdict, Verdict::refused);
  EXPECT_THAT(check.message, HasSubstr("i64 was not compiled"));
  EXPECT_EQ(bench.candidate.runs, 0);
}

TEST(CheckCase, IsVoidWhereTheReferenceFails) {
  Bench bench("aten::mm", [](const Stack& a) -> Stack { return {a[0]}; });
  const CaseCheck check = bench.check("((T([2, 3], f32), T([2, 3], f32)), {})");
  EXPECT_EQ(check.verdict, Verdict::invalid);
  EXPECT_THAT(check.message, HasSubstr("cannot be multiplied"));
  EXPECT_EQ(bench.candidate.runs, 0) << "nothing to compare with";
}

TEST(CheckCase, IsVoidWhereZerosPass) {
  Bench bench("aten::zeros_like", [](const Stack& a) -> Stack { return {at::zeros_like(a[0].toTensor())}; });
  const CaseCheck check = bench.check(relu55);
  EXPECT_EQ(check.verdict, Verdict::invalid);
  EXPECT_THAT(check.message, HasSubstr("zeros"));
}

TEST(CheckCase, DrawsAgainWhereZerosPassByChance) {
  Bench bench("aten::relu", relu);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {  // half of them begin with a negative number
    bench.job.seed = seed;
    EXPECT_EQ(bench.check("((T([1], f32),), {})").verdict, Verdict::pass) << seed;
  }
}

TEST(CheckCase, EmptyOutputsAreNeverVoid) {
  EXPECT_EQ(Bench("aten::relu", relu).check("((T([0, 3], f32),), {})").verdict, Verdict::pass);
}

TEST(CheckCase, TheOracleGivesReductionsTheirRoom) {
  // Summed one after the other in float32: worse than the tolerance, not worse than float32 allows.
  Bench bench("aten::sum", [](const Stack& a) -> Stack {
    const at::Tensor values = a[0].toTensor().to(at::kDouble);
    return {values.sum().to(at::kFloat).add(0)};
  });
  EXPECT_EQ(bench.check("((T([100000], f32),), {})").verdict, Verdict::pass);
  bench.job.tolerance.preset = "strict";
  EXPECT_EQ(bench.check("((T([100000], f32),), {})").verdict, Verdict::pass);
}

TEST(CheckCase, StrictRefusesLowerPrecision) {
  Bench bench("aten::exp", [](const Stack& a) -> Stack {
    return {a[0].toTensor().to(at::kBFloat16).exp().to(at::kFloat)};
  });
  bench.job.tolerance.preset = "strict";
  EXPECT_EQ(bench.check(relu55).verdict, Verdict::mismatch);
  bench.job.tolerance.preset = "torch";
  EXPECT_EQ(bench.check(relu55).verdict, Verdict::mismatch);
  bench.job.tolerance = {"given", 0.1, 0.1};
  EXPECT_EQ(bench.check(relu55).verdict, Verdict::pass);
}

}  // namespace
}  // namespace wb
