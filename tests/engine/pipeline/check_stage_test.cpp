// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/check_stage.h"

#include <gmock/gmock.h>

#include <ATen/core/List.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/rand_like.h>
#include <ATen/ops/zeros_like.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

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

TEST(CheckCase, RefusesHugeInputsBeforeAllocating) {
  Bench bench("aten::relu", relu);
  const char* huge = "((T([1000000, 1000000], f32),), {})";
  EXPECT_EQ(bench.check(huge).verdict, Verdict::refused);
  EXPECT_THAT(bench.check(huge).message, HasSubstr("that this machine has free"));
  bench.job.limits.tensorBytes = 1 << 30;
  EXPECT_THAT(bench.check(huge).message, HasSubstr("more than the limit of 1.00 GiB"));
  bench.job.limits.tensorBytes = 63;
  EXPECT_THAT(bench.check("((T([4, 4], f32),), {})").message, HasSubstr("64"));
  bench.job.limits.tensorBytes = 64;
  EXPECT_EQ(bench.check("((T([4, 4], f32),), {})").verdict, Verdict::pass);
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

TEST(CheckCase, TheFirstFailingCasesTellWhichElementsAreWrong) {
  Bench bench("aten::relu", [](const Stack& a) -> Stack { return {a[0].toTensor().clone()}; });
  EXPECT_FALSE(bench.check(relu55).wrong) << "nobody asked";
  KernelContext kernel = bench.context();
  int telling = 1;
  kernel.tellingCases = &telling;
  const CaseCheck first = checkCase(kernel, bench.definition(relu55));
  ASSERT_TRUE(first.wrong);
  EXPECT_EQ((*first.wrong)->elements.size(), 25U);
  EXPECT_EQ(std::ranges::count_if((*first.wrong)->elements, &ElementPair::wrong), first.errors->mismatches);
  EXPECT_NE((*first.wrong)->elements[0].exact, "");
  EXPECT_EQ(telling, 0);
  EXPECT_FALSE(checkCase(kernel, bench.definition(relu55)).wrong) << "so many, and no more";
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

TEST(CheckCase, WhatCopiesAViewHasToLayItOut) {
  const char* call = "((T([4, 6], f32), 0, 1), {})";
  const auto turned = [](const Stack& a) { return a[0].toTensor().clone().transpose(0, 1); };
  const CaseCheck view =
      Bench("aten::transpose_copy.int", [&](const Stack& a) { return Stack{turned(a)}; }).check(call);
  EXPECT_EQ(view.verdict, Verdict::mismatch);
  EXPECT_THAT(view.message, HasSubstr("strides 1×6"));
  const CaseCheck copy = Bench("aten::transpose_copy.int", [&](const Stack& a) {
                           return Stack{turned(a).contiguous()};
                         }).check(call);
  EXPECT_EQ(copy.verdict, Verdict::pass) << copy.message;
  const CaseCheck other = Bench("aten::relu", [&](const Stack& a) {
                            return Stack{relu(a)[0].toTensor().t().contiguous().t()};
                          }).check(relu55);
  EXPECT_EQ(other.verdict, Verdict::pass) << "to lay out is not its work: " << other.message;
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

TEST(CheckCase, RefusesWhatIsMalformedOrNotCompiled) {
  Bench bench("aten::relu", relu);
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

TEST(CheckCase, SaysWhereAtenAnswers) {
  const LambdaCandidate::Kernel own = relu;
  const LambdaCandidate::Kernel hands = [](const Stack& a) -> Stack { return {a[0].toTensor().relu()}; };
  const LambdaCandidate::Kernel inPlace = [](const Stack& a) -> Stack {
    return {a[0].toTensor().clone().relu_()};
  };
  const auto delegated = [](const LambdaCandidate::Kernel& kernel) {
    return delegatedTo("aten::relu", Bench("aten::relu", kernel).check(relu55).ran);
  };
  EXPECT_EQ(delegated(own), "");
  EXPECT_EQ(delegated(hands), "aten::relu");
  EXPECT_EQ(delegated(inPlace), "aten::relu_");
}

const RanPart* partOf(const CaseCheck& check, const std::string& name) {
  const auto found = std::find_if(check.ran.begin(), check.ran.end(),
                                  [&](const RanPart& part) { return part.name == name; });
  return found == check.ran.end() ? nullptr : &*found;
}

TEST(CheckCase, SaysWhichOperatorsRan) {
  const CaseCheck check = Bench("aten::relu", [](const Stack& a) -> Stack {
                            return {a[0].toTensor().relu().mul(1)};
                          }).check("((T([512, 512], f32),), {})");
  ASSERT_EQ(check.verdict, Verdict::pass) << check.message;
  const RanPart *relu = partOf(check, "aten::relu"), *own = partOf(check, "");
  ASSERT_TRUE(relu != nullptr && own != nullptr && partOf(check, "aten::mul") != nullptr);
  EXPECT_EQ(relu->owner, ownedByAten);
  EXPECT_EQ(relu->times, 1);
  EXPECT_GT(relu->seconds, 0);
  EXPECT_EQ(own->owner, ownedByKernel);
  // relu is made of clamp_min, whose time is in relu's.
  ASSERT_NE(partOf(check, "aten::clamp_min"), nullptr);
  EXPECT_EQ(partOf(check, "aten::clamp_min")->seconds, 0);
}

TEST(CheckCase, SeesWhatThreadsOfTheKernelCall) {
  const CaseCheck check = Bench("aten::relu", [](const Stack& a) -> Stack {
                            at::Tensor result;
                            std::thread([&] { result = a[0].toTensor().relu(); }).join();
                            return {result};
                          }).check(relu55);
  EXPECT_EQ(delegatedTo("aten::relu", check.ran), "aten::relu");
}

TEST(CheckCase, KeepsItsOwnObserverApartFromTheKernels) {
  Bench bench("aten::relu", relu);
  SideStates states;
  KernelContext kernel = bench.context();
  kernel.states = &states;
  EXPECT_EQ(checkCase(kernel, bench.definition(relu55)).verdict, Verdict::pass);
  EXPECT_THAT(states.changed(), testing::IsEmpty());
  EXPECT_FALSE(at::hasGlobalCallbacks());
}

TEST(CheckCase, AKernelThatRemovesAllObserversIsChecked) {
  const CaseCheck check = Bench("aten::relu", [](const Stack& a) -> Stack {
                            at::clearCallbacks();
                            return relu(a);
                          }).check(relu55);
  EXPECT_EQ(check.verdict, Verdict::pass) << check.message;
}

TEST(CheckCase, MemoryAsItLiesIsNotCompared) {
  const auto empty = [](at::ScalarType type) {
    return [type](const Stack& a) -> Stack { return {at::ones_like(a[0].toTensor()).to(type)}; };
  };
  const CaseCheck check = Bench("aten::empty_like", empty(at::kFloat)).check(relu55);
  EXPECT_FALSE(check.errors) << "what was never written has no error";
  EXPECT_EQ(check.verdict, Verdict::invalid);
  EXPECT_THAT(check.message, HasSubstr("memory as it lies"));
  EXPECT_EQ(Bench("aten::empty_like", empty(at::kDouble)).check(relu55).verdict, Verdict::wrongDtype);
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

TEST(CheckCase, ATrivialAnswerMustPassEveryDrawToVoidACase) {
  // Zeros pass a negative draw, a copy a positive one: neither passes both.
  Bench bench("aten::relu", relu);
  EXPECT_EQ(bench.check("((T([1], f32),), {})").trivial, "");
  const CaseCheck clone =
      Bench("aten::clone", [](const Stack& a) -> Stack { return {a[0].toTensor().clone()}; }).check(relu55);
  EXPECT_EQ(clone.verdict, Verdict::invalid);
  EXPECT_EQ(clone.trivial, "a copy of 'self'");
  EXPECT_EQ(clone.message, "a copy of 'self' would pass too: this case tells nothing");
}

TEST(CheckCase, ScoresTrivialCasesWhereCountsMustMatchAndSaysSo) {
  Bench bench("aten::zeros_like", [](const Stack& a) -> Stack { return {at::zeros_like(a[0].toTensor())}; });
  bench.job.checking.scoreTrivial = true;
  const CaseCheck check = bench.check(relu55);
  EXPECT_EQ(check.verdict, Verdict::pass);
  EXPECT_EQ(check.trivial, "zeros");
  EXPECT_EQ(check.message, "zeros would pass too");
}

TEST(CheckCase, GivesBothErrorsAgainstFloat64WhereThatIsCheap) {
  Bench bench("aten::exp", [](const Stack& a) -> Stack { return {a[0].toTensor().exp()}; });
  const CaseCheck check = bench.check(relu55);
  ASSERT_TRUE(check.errors->oracleAbs);
  EXPECT_GT(*check.errors->oracleAbs, 0);
  EXPECT_EQ(*check.errors->oracleAbs, *check.errors->oracleReferenceAbs) << "the same bits";
  const std::string large = "((T([600, 600], f32),), {})";
  EXPECT_FALSE(bench.check(large).errors->oracleAbs);
  bench.job.checking.oracle = true;
  EXPECT_TRUE(bench.check(large).errors->oracleAbs);
}

TEST(CheckCase, FindsAKernelThatIsWrongTheSecondTime) {
  int calls = 0;
  Bench bench("aten::relu", [&](const Stack& a) -> Stack {
    return {++calls % 2 == 1 ? a[0].toTensor().clamp_min(0) : a[0].toTensor().clamp_min(1)};
  });
  const CaseCheck check = bench.check(relu55);
  EXPECT_EQ(check.verdict, Verdict::mismatch);
  EXPECT_TRUE(check.varies);
  EXPECT_THAT(check.message, HasSubstr("wrong the second"));
  bench.job.checking.repeat = false;
  calls = 0;
  EXPECT_EQ(bench.check(relu55).verdict, Verdict::pass);
}

TEST(CheckCase, AnAnswerInTheMemoryOfTheOneBeforeIsWrong) {
  at::Tensor kept;
  Bench bench("aten::relu", [&](const Stack& arguments) -> Stack {
    const at::Tensor answer = arguments[0].toTensor().clamp_min(0);
    kept = kept.defined() ? kept.copy_(answer) : answer;
    return {kept};
  });
  const CaseCheck check = bench.check("((T([4, 16], f32),), {})");
  EXPECT_EQ(check.verdict, Verdict::mismatch);
  EXPECT_THAT(check.message, HasSubstr("lies in the memory of the first"));
}

TEST(CheckCase, AViewOfItsInputLiesInOtherMemoryEachTime) {
  Bench bench("aten::t", [](const Stack& arguments) -> Stack { return {arguments[0].toTensor().t()}; });
  EXPECT_EQ(bench.check("((T([4, 16], f32),), {})").verdict, Verdict::pass);
}

TEST(CheckCase, ASlowKernelRunsTwiceToo) {
  Bench bench("aten::relu", [](const Stack& a) -> Stack {
    std::this_thread::sleep_for(std::chrono::milliseconds{60});  // its work
    return relu(a);
  });
  EXPECT_EQ(bench.check(relu55).verdict, Verdict::pass);
  EXPECT_EQ(bench.candidate.runs, 2);
  bench.job.limits.caseSeconds = 0.2;
  EXPECT_EQ(bench.check(relu55).verdict, Verdict::pass);
  EXPECT_EQ(bench.candidate.runs, 3) << "but not where that could run into the case's limit";
}

TEST(CheckCase, OtherBitsWithinToleranceAreARemark) {
  int calls = 0;
  Bench bench("aten::relu", [&](const Stack& a) -> Stack {
    return {a[0].toTensor().clamp_min(0).mul(1 + 1e-7 * ++calls)};
  });
  const CaseCheck check = bench.check(relu55);
  EXPECT_EQ(check.verdict, Verdict::pass);
  EXPECT_TRUE(check.varies);
  EXPECT_THAT(check.message, HasSubstr("other bits"));
}

TEST(CheckCase, RandomOperatorsStartFromTheSameGenerator) {
  const auto atens = [](const Stack& a) -> Stack { return {at::rand_like(a[0].toTensor())}; };
  const CaseCheck same = Bench("aten::rand_like", atens).check(relu55);
  EXPECT_EQ(same.verdict, Verdict::pass) << same.message;
  EXPECT_FALSE(same.varies);
  const auto own = [](const Stack& a) -> Stack { return {at::rand_like(a[0].toTensor()).mul(0.5)}; };
  const CaseCheck other = Bench("aten::rand_like", own).check(relu55);
  EXPECT_EQ(other.verdict, Verdict::invalid);
  EXPECT_THAT(other.message, HasSubstr("random"));
  const auto wrong = [](const Stack& a) -> Stack { return {at::rand_like(a[0].toTensor()).flatten()}; };
  EXPECT_EQ(Bench("aten::rand_like", wrong).check(relu55).verdict, Verdict::wrongShape);
}

TEST(CheckCase, WhatIsRandomBySchemaOnlyIsJudgedByItsValues) {
  // No dropout: the tag stands for other arguments.
  const CaseCheck check = Bench("aten::native_dropout", [](const Stack& a) -> Stack {
                            const at::Tensor x = a[0].toTensor();
                            return {x.mul(2), at::ones_like(x, at::kBool)};
                          }).check("((T([5, 5], f32), 0.5, False), {})");
  EXPECT_EQ(check.verdict, Verdict::mismatch) << check.message;
}

TEST(CheckCase, AnInputHandedBackIsNoOutput) {
  const CaseCheck check = Bench("aten::abs", [](const Stack& a) -> Stack {
                            return {a[0].toTensor()};
                          }).check("((T([0, 3], f32),), {})");
  EXPECT_EQ(check.verdict, Verdict::pass) << "there is no memory to share";
  const CaseCheck cast = Bench("aten::mul.Scalar", [](const Stack& a) -> Stack {
                           return {a[0].toTensor()};
                         }).check("((T([5, 5], f32), 1.0), {})");
  EXPECT_EQ(cast.verdict, Verdict::changedInput);
  EXPECT_EQ(cast.message, "output 0 shares memory with input 'self'");
  EXPECT_EQ(Bench("aten::contiguous", [](const Stack& a) -> Stack { return {a[0].toTensor()}; })
                .check(relu55)
                .verdict,
            Verdict::invalid)
      << "ATen hands it back too; a copy tells nothing";
}

TEST(CheckCase, OutVariantsWriteIntoTheirArgumentAndReturnIt) {
  const std::string args = "((T([5, 5], f32),), {'out': T([5, 5], f32)})";
  EXPECT_EQ(
      Bench("aten::relu.out",
            [](const Stack& a) -> Stack { return {a[1].toTensor().copy_(a[0].toTensor().clamp_min(0))}; })
          .check(args)
          .verdict,
      Verdict::pass);
  const CaseCheck fresh = Bench("aten::relu.out", [](const Stack& a) -> Stack {
                            a[1].toTensor().copy_(a[0].toTensor().clamp_min(0));
                            return {a[0].toTensor().clamp_min(0)};
                          }).check(args);
  EXPECT_EQ(fresh.verdict, Verdict::mismatch);
  EXPECT_THAT(fresh.message, HasSubstr("'out' itself"));
  EXPECT_EQ(Bench("aten::relu.out", [](const Stack& a) -> Stack { return {a[1]}; }).check(args).verdict,
            Verdict::mismatch);
}

TEST(CheckCase, StrangeResultsAreVerdicts) {
  const auto check = [](const LambdaCandidate::Kernel& kernel) {
    return Bench("aten::relu", kernel).check(relu55);
  };
  EXPECT_EQ(check([](const Stack&) -> Stack { return {c10::IValue()}; }).verdict, Verdict::wrongCount);
  EXPECT_EQ(check([](const Stack&) -> Stack { return {at::Tensor()}; }).verdict, Verdict::wrongCount);
  EXPECT_EQ(
      check([](const Stack& a) -> Stack { return {c10::List<at::Tensor>({relu(a)[0].toTensor()})}; }).verdict,
      Verdict::wrongCount);
  EXPECT_EQ(check([](const Stack&) -> Stack { return {1.5}; }).verdict, Verdict::wrongShape);
  EXPECT_EQ(check([](const Stack&) -> Stack { return {std::string("relu")}; }).verdict, Verdict::wrongCount);
  EXPECT_EQ(check([](const Stack& a) -> Stack { return {relu(a)[0].toTensor().to_sparse()}; }).verdict,
            Verdict::mismatch);
}

/// Prints what a tiny case costs; the time is for eyes.
TEST(CheckCase, CostOfATinyCase) {
  Bench bench("aten::add.Tensor",
              [](const Stack& a) -> Stack { return {a[0].toTensor().add(a[1].toTensor())}; });
  const auto cost = [&](const char* what) {
    constexpr int cases = 300;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < cases; ++i)
      ASSERT_EQ(bench.check("((T([5, 5], bf16), T([5, 5], bf16)), {})").verdict, Verdict::pass);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::cout << what << ": " << seconds / cases * 1e6 << " us a case\n";
  };
  cost("default");
  bench.job.checking.repeat = false;
  cost("no repeat");
  bench.job.checking.likeBackendBench = true;
  cost("like BackendBench");
}

}  // namespace
}  // namespace wb
