// SPDX-License-Identifier: Apache-2.0
// The reference is asked once more where no kernel has ever been; here that is a function.
#include "core/engine/check/further/reference_there.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <gmock/gmock.h>
#include <torch/library.h>

#include <stdexcept>

#include "core/engine/check/further/further_questions.h"
#include "tests/engine/pipeline/lambda_candidate.h"

namespace wb {
namespace {

using testing::HasSubstr;

int calls = 0;
bool fails = false;

/// Some half of the elements, drawn by another generator than the one that everybody looks at.
at::Tensor halfOf(const at::Tensor& x) {
  static at::Generator generator = at::detail::createCPUGenerator();
  return x * at::empty_like(x).bernoulli_(0.5, generator) * 2;
}

/// References of problems that a kernel has made vary, and fail.
TORCH_LIBRARY_FRAGMENT(problem, library) {
  library.def("varies(Tensor x) -> Tensor",
              [](const at::Tensor& x) -> at::Tensor { return x + static_cast<double>(++calls); });
  library.def("counts(Tensor x) -> Tensor", [](const at::Tensor& x) -> at::Tensor {
    ++calls;
    return x.relu();
  });
  library.def("drops(Tensor x) -> Tensor", [](const at::Tensor& x) -> at::Tensor { return halfOf(x); });
  library.def("fails(Tensor x) -> Tensor", [](const at::Tensor& x) -> at::Tensor {
    if (fails) throw std::runtime_error("somebody has broken it");
    return x.relu();
  });
}

/// A kernel that is checked, and what the reference says elsewhere.
struct Asked {
  Asked(const std::string& op, LambdaCandidate::Kernel kernel, LambdaCandidate::Kernel reference)
      : bench(op, std::move(kernel)), there(std::move(reference)) {
    further.thereSeconds = 10;
    further.seed = 7;
  }
  SaidThere about(const char* args = "((T([8, 16], f32),), {})") {
    KernelContext kernel = bench.context();
    kernel.further = &further;
    kernel.referenceApart = [&]() -> Result<ReferenceApart> {
      if (ended) return Error{Stage::setup, "it was ended"};
      Candidate* const asked = instead != nullptr ? instead : &there;
      return ReferenceApart{asked, asked};
    };
    verdict = checkCase(kernel, bench.definition(args)).verdict;
    return askThere(kernel);
  }

  Bench bench;
  LambdaCandidate there;
  FurtherQuestions further;
  bool ended = false;
  Candidate* instead = nullptr;
  Verdict verdict = Verdict::notRun;
};

Stack relu(const Stack& a) {
  return {a[0].toTensor().relu()};
}
Stack twice(const Stack& a) {
  return {a[0].toTensor().relu() * 2};
}

TEST(ReferenceThere, AnotherAnswerIsSaid) {
  EXPECT_EQ(Asked("aten::relu", relu, relu).about().other, "");
  EXPECT_THAT(Asked("aten::relu", relu, twice).about().other, HasSubstr("another answer in this process"));
}

TEST(ReferenceThere, WhoeverKeepsItFromBeingAskedIsSaid) {
  Asked asked("aten::relu", relu, relu);
  asked.ended = true;
  const SaidThere said = asked.about();
  EXPECT_EQ(said.other, "");
  EXPECT_EQ(said.kept, "it was ended");
}

TEST(ReferenceThere, WhoeverLeavesNoRoomToAskItIsSaid) {
  struct NoRoom : Candidate {
    Result<std::unique_ptr<PreparedCall>> prepare(const BoundCall& /*call*/,
                                                  const OutputPlan& /*plan*/) override {
      return Error{Stage::setup, "memory to share: too many open files"};
    }
  } noRoom;
  Asked asked("aten::relu", relu, relu);
  asked.instead = &noRoom;
  EXPECT_EQ(asked.about().kept, "memory to share: too many open files");
  Asked other("aten::relu", relu, relu);
  other.there.refuses = true;
  EXPECT_EQ(other.about().kept, "") << "not everything can be given to another process";
}

TEST(ReferenceThere, WhatWorksInPlaceIsAskedOnAFreshArgument) {
  const auto inPlace = [](const Stack& a) -> Stack { return {a[0].toTensor().relu_()}; };
  const auto inPlaceTwice = [](const Stack& a) -> Stack { return {a[0].toTensor().relu_().mul_(2)}; };
  const auto leavesIt = [](const Stack& a) -> Stack { return {a[0].toTensor().relu()}; };
  Asked right("aten::relu_", inPlace, inPlace);
  EXPECT_EQ(right.about().other, "");
  EXPECT_EQ(right.verdict, Verdict::pass);
  EXPECT_EQ(right.there.runs, 1);
  EXPECT_NE(Asked("aten::relu_", inPlace, inPlaceTwice).about().other, "");
  EXPECT_NE(Asked("aten::relu_", inPlace, leavesIt).about().other, "");
}

TEST(ReferenceThere, WhatDrawsIsAskedWithTheSameState) {
  const auto draws = [](const Stack& a) -> Stack { return {at::rand_like(a[0].toTensor())}; };
  const auto others = [](const Stack& a) -> Stack { return {1 - at::rand_like(a[0].toTensor())}; };
  Asked right("aten::rand_like", draws, draws);
  EXPECT_EQ(right.about().other, "");
  EXPECT_EQ(right.verdict, Verdict::pass);
  EXPECT_EQ(right.there.runs, 1);
  EXPECT_NE(Asked("aten::rand_like", draws, others).about().other, "");
}

TEST(ReferenceThere, WhatVariesHereAloneIsTheKernelsDoing) {
  Asked asked("problem::varies", relu, relu);
  EXPECT_THAT(asked.about().other, HasSubstr("other answers each time in this process, and the same ones"));
  EXPECT_EQ(asked.verdict, Verdict::invalid);
  const auto varies = [](const Stack& a) -> Stack {
    return {a[0].toTensor() + static_cast<double>(++calls)};
  };
  EXPECT_EQ(Asked("problem::varies", relu, varies).about().other, "");
}

TEST(ReferenceThere, WhatVariesHereSaysNothingOfRounding) {
  const auto one = [](const Stack& a) -> Stack { return {halfOf(a[0].toTensor())}; };
  Bench bench("problem::drops", one);
  const KernelContext kernel = bench.context();
  const char* const args = "((T([128, 256], f32),), {})";
  EXPECT_EQ(checkCase(kernel, bench.definition(args)).verdict, Verdict::invalid);
  Asked honest("problem::drops", one, one);
  EXPECT_EQ(honest.about(args).other, "");
  Asked asked("problem::drops", one, relu);
  EXPECT_THAT(asked.about(args).other, HasSubstr("other answers each time in this process"));
}

TEST(ReferenceThere, HowFarRoundingGoesIsNotAskedWhereALargeAnswerIsGrosslyWrong) {
  Bench bench("problem::counts", twice);
  const auto callsFor = [&](const char* args) {
    calls = 0;
    EXPECT_EQ(checkCase(bench.context(), bench.definition(args)).verdict, Verdict::mismatch);
    return calls;
  };
  const int forSmall = callsFor("((T([64, 64], f32),), {})");
  EXPECT_LT(callsFor("((T([1024, 1100], f32),), {})"), forSmall);
}

TEST(ReferenceThere, WhatFailsHereAloneIsTheKernelsDoing) {
  const auto breaks = [](const Stack& a) -> Stack {
    fails = true;
    return relu(a);
  };
  fails = true;
  EXPECT_THAT(Asked("problem::fails", breaks, relu).about().other,
              HasSubstr("fails in this process, and answers in one in which no kernel has ever been"));
  const auto failsToo = [](const Stack&) -> Stack { throw std::runtime_error("it fails"); };
  EXPECT_EQ(Asked("problem::fails", breaks, failsToo).about().other, "");
  fails = false;
}

TEST(ReferenceThere, AllCasesAreAskedAboutAndOfManyThatTakeLongSome) {
  Asked asked("aten::relu", relu, relu);
  for (int i = 0; i < 5; ++i) (void)asked.about();
  EXPECT_EQ(asked.there.runs, 5);
  asked.further.thereSeconds = 0;
  (void)asked.about();
  EXPECT_EQ(asked.there.runs, 5);
}

}  // namespace
}  // namespace wb
