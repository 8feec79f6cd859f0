// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ATen/ops/ones.h>

#include "tests/engine/pipeline/lambda_candidate.h"

namespace wb {
namespace {

using testing::HasSubstr;

const char* relu55 = "((T([5, 5], f32),), {})";

CaseCheck check(const std::string& op, const LambdaCandidate::Kernel& kernel, const std::string& args,
                const char* suite = "smoke") {
  Bench bench(op, kernel);
  bench.job.suite = suite;
  bench.job.checking.likeBackendBench = true;
  bench.job.tolerance.preset = "backendbench";
  return bench.check(args);
}

TEST(CheckLikeBackendBench, PassesARightKernelAndFailsAWrongOne) {
  const CaseCheck right = check(
      "aten::relu", [](const Stack& a) -> Stack { return {a[0].toTensor().clamp_min(0)}; }, relu55);
  EXPECT_EQ(right.verdict, Verdict::pass) << right.message;
  EXPECT_EQ(right.rtol, 0.01);
  ASSERT_TRUE(right.peer);
  EXPECT_EQ(right.peer->maxAbs, 0.0);
  const CaseCheck wrong = check(
      "aten::relu", [](const Stack& a) -> Stack { return {a[0].toTensor().clone()}; }, relu55);
  EXPECT_EQ(wrong.verdict, Verdict::mismatch);
  EXPECT_GT(wrong.peer->maxAbs, 0.01);
}

TEST(CheckLikeBackendBench, TracesAreDrawnUniformly) {
  const LambdaCandidate::Kernel identity = [](const Stack& a) -> Stack { return {a[0].toTensor().clone()}; };
  EXPECT_EQ(check("aten::relu", identity, relu55, "trace.txt").verdict, Verdict::pass)
      << "no number is negative there, so that a copy passes";
  at::Tensor drawn;
  const LambdaCandidate::Kernel keeper = [&](const Stack& a) -> Stack {
    drawn = a[0].toTensor().clone();
    return {drawn.abs()};
  };
  for (const char* args : {"((T([4000], f32),), {})", "((T([4000], bf16),), {})"}) {
    EXPECT_EQ(check("aten::abs", keeper, args, "trace.txt").verdict, Verdict::pass);
    EXPECT_GE(drawn.min().item<double>(), 0);
    EXPECT_LE(drawn.max().item<double>(), 1);
    EXPECT_NEAR(drawn.mean().item<double>(), 0.5, 0.05);
  }
}

TEST(CheckLikeBackendBench, WhatIsNotDeterminedIsVoid) {
  EXPECT_EQ(check(
                "aten::empty_like", [](const Stack& a) -> Stack { return {a[0].toTensor().clone()}; }, relu55)
                .verdict,
            Verdict::invalid);
  const char* draws = "((T([50], f32), 10), {'replacement': True})";
  const auto ones = [](const Stack&) -> Stack { return {at::ones({10}, at::kLong)}; };
  EXPECT_EQ(check("aten::multinomial", ones, draws, "trace.txt").verdict, Verdict::invalid);
  const auto floats = [](const Stack&) -> Stack { return {at::ones({10})}; };
  EXPECT_EQ(check("aten::multinomial", floats, draws, "trace.txt").verdict, Verdict::wrongDtype);
}

TEST(CheckLikeBackendBench, AnInPlaceOperatorIsComparedWithItself) {
  EXPECT_EQ(check(
                "aten::add_.Tensor", [](const Stack& a) -> Stack { return {a[0]}; },
                "((T([5, 5], f32), T([5, 5], f32)), {})")
                .verdict,
            Verdict::pass);
}

TEST(CheckLikeBackendBench, AChangedInputIsNotSeen) {
  EXPECT_EQ(check(
                "aten::sigmoid", [](const Stack& a) -> Stack { return {a[0].toTensor().sigmoid_()}; }, relu55)
                .verdict,
            Verdict::pass);
}

TEST(CheckLikeBackendBench, NothingIsVoidButAReferenceThatFails) {
  EXPECT_EQ(check(
                "aten::zeros_like", [](const Stack& a) -> Stack { return {a[0].toTensor().mul(0)}; }, relu55)
                .verdict,
            Verdict::pass);
  const CaseCheck failed = check(
      "aten::mm", [](const Stack& a) -> Stack { return {a[0]}; }, "((T([2, 3], f32), T([2, 3], f32)), {})");
  EXPECT_EQ(failed.verdict, Verdict::invalid);
  EXPECT_THAT(failed.message, HasSubstr("reference"));
}

TEST(CheckLikeBackendBench, AnExceptionHasNoErrors) {
  const CaseCheck threw = check(
      "aten::relu", [](const Stack&) -> Stack { throw std::runtime_error("no luck"); }, relu55);
  EXPECT_EQ(threw.verdict, Verdict::threw);
  EXPECT_FALSE(threw.peer);
  EXPECT_FALSE(threw.errors);
}

TEST(CheckLikeBackendBench, AWrongDtypeStillHasErrorsAndANumberHasNone) {
  const CaseCheck wide = check(
      "aten::exp", [](const Stack& a) -> Stack { return {a[0].toTensor().to(at::kDouble).exp()}; }, relu55);
  EXPECT_EQ(wide.verdict, Verdict::wrongDtype);
  EXPECT_LT(*wide.peer->maxAbs, 1e-5);
  const CaseCheck number = check(
      "aten::mean", [](const Stack& a) -> Stack { return {a[0].toTensor().mean().item<double>()}; },
      "((T([5], f32),), {})");
  EXPECT_EQ(number.verdict, Verdict::wrongDtype);
  ASSERT_TRUE(number.peer);
  EXPECT_FALSE(number.peer->maxAbs);
}

TEST(CheckLikeBackendBench, TheCandidateRunsOnceOnTheReferencesTensors) {
  Bench bench("aten::relu", [](const Stack& a) -> Stack { return {a[0].toTensor().clamp_min(0)}; });
  bench.job.checking.likeBackendBench = true;
  EXPECT_EQ(bench.check(relu55).verdict, Verdict::pass);
  EXPECT_EQ(bench.candidate.runs, 1);
}

}  // namespace
}  // namespace wb
