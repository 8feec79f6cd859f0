// SPDX-License-Identifier: Apache-2.0
// What a kernel is asked beyond the cases of its job.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "core/base/worked_seconds.h"
#include "core/engine/check/further/further_questions.h"
#include "core/engine/check/further/other_values.h"
#include "core/engine/check/further/own_values.h"
#include "core/engine/check/further/questions_here.h"
#include "core/engine/sides/process/forked.h"
#include "tests/engine/pipeline/lambda_candidate.h"

namespace wb {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr double longEnough = 60;
/// Of the case that most of the kernels here are asked about.
constexpr std::int64_t elements = std::int64_t{8} * 16;

/// A kernel for one case that may be asked more about.
struct Questioned {
  explicit Questioned(const LambdaCandidate::Kernel& kernel, double forkSeconds = longEnough,
                      const std::string& op = "aten::relu",
                      const std::string& args = "((T([8, 16], f32),), {})")
      : bench(op, kernel),
        definition(bench.definition(args)),
        further{.seed = 7, .forkSeconds = forkSeconds, .forked = {&definition}},
        context(bench.context()) {
    context.further = &further;
  }
  Questioned(const Questioned&) = delete;
  Questioned& operator=(const Questioned&) = delete;

  Bench bench;
  const Case definition;
  FurtherQuestions further;
  KernelContext context;
};

/// The check of a kernel for relu on one case, with further questions.
CaseCheck checked(const LambdaCandidate::Kernel& kernel, double forkSeconds = longEnough,
                  const std::string& op = "aten::relu",
                  const std::string& args = "((T([8, 16], f32),), {})") {
  const Questioned asked(kernel, forkSeconds, op, args);
  return checkCase(asked.context, asked.definition);
}

Stack relu(const Stack& arguments) {
  return {arguments[0].toTensor().clamp_min(0)};
}

TEST(FurtherQuestions, AKernelThatIsRightEverywherePassesWithoutARemark) {
  const CaseCheck check = checked(relu);
  EXPECT_EQ(check.verdict, Verdict::pass) << check.message;
  EXPECT_EQ(check.elsewhere, "");
}

TEST(FurtherQuestions, AnswersThatWereKnownBeforeAreWrong) {
  std::vector<float> known;
  const CaseCheck check = checked([&](const Stack& arguments) -> Stack {
    const at::Tensor& self = arguments[0].toTensor();
    const auto first = self.flatten()[0].item<float>();
    if (known.empty()) known.push_back(first);
    return {first == known.front() ? self.clamp_min(0) : at::zeros_like(self)};
  });
  EXPECT_EQ(check.verdict, Verdict::mismatch);
  EXPECT_THAT(check.message,
              AllOf(StartsWith("right with the contents that everybody knows"), HasSubstr("--seed 7)")));
}

constexpr const char* twoTensors = "((T([8, 16], f32), T([8, 16], f32)), {})";

TEST(FurtherQuestions, AnArgumentThatNoCaseGivesIsAskedForToo) {
  const auto forgets = [](const Stack& a) -> Stack { return {a[0].toTensor() + a[1].toTensor()}; };
  const CaseCheck wrong = checked(forgets, longEnough, "aten::add.Tensor", twoTensors);
  EXPECT_EQ(wrong.verdict, Verdict::pass) << wrong.message;
  EXPECT_EQ(wrong.elsewhere, "wrong with another number: alpha = 2");
  const auto takes = [](const Stack& a) -> Stack {
    return {at::add(a[0].toTensor(), a[1].toTensor(), a[2].toScalar())};
  };
  EXPECT_EQ(checked(takes, longEnough, "aten::add.Tensor", twoTensors).elsewhere, "");
}

TEST(FurtherQuestions, OneThatTakesNoNoticeOfWhatIsGivenIsSaidTo) {
  const auto squares = [](const Stack& a) -> Stack { return {a[0].toTensor().square()}; };
  const char* squared = "((T([8, 16], f32), 2), {})";
  EXPECT_EQ(checked(squares, longEnough, "aten::pow.Tensor_Scalar", squared).elsewhere,
            "wrong with another number: exponent = 4");
  const auto powers = [](const Stack& a) -> Stack { return {at::pow(a[0].toTensor(), a[1].toScalar())}; };
  EXPECT_EQ(checked(powers, longEnough, "aten::pow.Tensor_Scalar", squared).elsewhere, "");
}

TEST(FurtherQuestions, OneThatHasFewerBitsThanItsTypeIsSaidTo) {
  const auto narrow = [](const Stack& a) -> Stack {
    return {a[0].toTensor().to(at::kShort).sum(1).to(at::kShort).to(at::kLong)};
  };
  const auto whole = [](const Stack& a) -> Stack { return {a[0].toTensor().sum(1)}; };
  const char* numbers = "((T([8, 16], i64), [1]), {})";
  EXPECT_THAT(checked(narrow, longEnough, "aten::sum.dim_IntList", numbers).elsewhere,
              HasSubstr("whole numbers that take more bits"));
  EXPECT_EQ(checked(whole, longEnough, "aten::sum.dim_IntList", numbers).elsewhere, "");
}

TEST(FurtherQuestions, OneThatLooksAtAPartOfItsElementsIsSaidTo) {
  const auto part = [](const Stack& a) -> Stack {
    const at::Tensor all = a[0].toTensor();
    return {all.slice(1, 0, all.size(1), 2)
                .to(at::kDouble)
                .square()
                .mean(1)
                .mul(all.size(1))
                .sqrt()
                .to(all.scalar_type())};
  };
  EXPECT_THAT(
      checked(part, longEnough, "aten::linalg_vector_norm", "((T([2, 65536], bf16), 2, [1]), {})").elsewhere,
      HasSubstr("with other values: one of about"));
}

TEST(FurtherQuestions, AKernelThatNeedsLongForEachShapeIsAskedForOtherValuesToo) {
  std::set<std::int64_t> known;
  const auto slow = [known](const Stack& a) mutable -> Stack {
    const at::Tensor& self = a[0].toTensor();
    const double began = workedSeconds();
    while (!known.contains(self.numel()) && workedSeconds() - began < 0.5) {
    }
    known.insert(self.numel());
    return {self.clamp(0, 100)};
  };
  EXPECT_THAT(checked(slow).elsewhere, HasSubstr("with other values: up to"));
}

TEST(FurtherQuestions, AKernelThatAnswersNothingNewInAForkIsAskedHere) {
  const pid_t home = getpid();
  int calls = 0;
  Questioned asked([&](const Stack& arguments) -> Stack {
    const at::Tensor& self = arguments[0].toTensor();
    while (getpid() != home && calls > 0) pause();
    if (getpid() != home) ++calls;
    return {self.numel() == elements ? self.clamp_min(0) : at::zeros_like(self)};
  });
  const CaseCheck check = checkCase(asked.context, asked.definition);
  EXPECT_EQ(check.verdict, Verdict::pass) << check.message;
  EXPECT_TRUE(asked.further.isUnanswered);
}

TEST(FurtherQuestions, AKernelThatRefusesOtherNumbersIsNotWrong) {
  const auto refuses = [](const Stack& a) -> Stack {
    if (!a[2].toScalar().equal(1)) throw std::runtime_error("alpha has to be 1");
    return {a[0].toTensor() + a[1].toTensor()};
  };
  EXPECT_EQ(checked(refuses, longEnough, "aten::add.Tensor", twoTensors).elsewhere, "");
}

TEST(FurtherQuestions, AKernelForOneShapeIsSaidToBeWrongAtOthers) {
  const CaseCheck check = checked([](const Stack& arguments) -> Stack {
    const at::Tensor& self = arguments[0].toTensor();
    return {self.numel() == elements ? self.clamp_min(0) : at::zeros_like(self)};
  });
  EXPECT_EQ(check.verdict, Verdict::pass) << "it may honestly have been written for it";
  EXPECT_THAT(check.elsewhere, StartsWith("wrong at other shapes: "));
}

TEST(FurtherQuestions, AKernelThatIsRightInAForkAloneIsAskedWhereItIsChecked) {
  const pid_t home = ::getpid();
  const CaseCheck check = checked([home](const Stack& arguments) -> Stack {
    const at::Tensor& self = arguments[0].toTensor();
    return {::getpid() != home || self.numel() == elements ? self.clamp_min(0) : at::zeros_like(self)};
  });
  EXPECT_EQ(check.verdict, Verdict::pass);
  EXPECT_THAT(check.elsewhere,
              AllOf(StartsWith("wrong at other shapes: "), HasSubstr("though right in a copy")));
}

TEST(FurtherQuestions, AKernelThatDoesNotAnswerInAForkIsAskedHereWhenAllElseIsDone) {
  const pid_t home = getpid();
  Questioned asked([&](const Stack& arguments) -> Stack {
    while (getpid() != home) pause();
    const at::Tensor& self = arguments[0].toTensor();
    return {self.numel() == elements ? self.clamp_min(0) : at::zeros_like(self)};
  });
  CaseCheck check = checkCase(asked.context, asked.definition);
  EXPECT_EQ(check.verdict, Verdict::pass) << check.message;
  EXPECT_EQ(check.elsewhere, "") << "nobody has heard anything";
  EXPECT_TRUE(asked.further.isUnanswered);
  EXPECT_LT(asked.further.checkSeconds, check.seconds) << "the wait for the fork is no part of it";
  check.seconds = asked.further.checkSeconds;
  const auto later = std::chrono::steady_clock::now() + std::chrono::seconds{60};
  EXPECT_TRUE(askHere(asked.context, asked.definition, later, check)) << "it has harmed nobody";
  EXPECT_THAT(check.elsewhere, StartsWith("wrong at other shapes: "));
  EXPECT_EQ(check.verdict, Verdict::pass);
}

TEST(FurtherQuestions, WhoWritesBeyondATensorHereIsTheLastOfItsProcess) {
  const Questioned asked([&](const Stack& arguments) -> Stack {
    const at::Tensor result = relu(arguments)[0].toTensor();
    if (result.numel() != elements) result.data_ptr<float>()[result.numel()] = 1;
    return {result};
  });
  CaseCheck check;
  check.verdict = Verdict::pass;
  EXPECT_FALSE(askHere(asked.context, asked.definition, std::chrono::steady_clock::time_point::max(), check));
}

TEST(FurtherQuestions, AKernelThatEndsItsProcessAtOtherShapesIsNotAskedHere) {
  const CaseCheck check = checked([](const Stack& arguments) -> Stack {
    if (arguments[0].toTensor().numel() != elements) ::_exit(0);
    return relu(arguments);
  });
  EXPECT_EQ(check.verdict, Verdict::pass);
  EXPECT_THAT(check.elsewhere, StartsWith("ends its process at other shapes: "));
}

TEST(FurtherQuestions, WhatIsWrittenBeyondATensorWhereItIsAskedAgainHarmsNobody) {
  const CaseCheck check = checked([](const Stack& arguments) -> Stack {
    const at::Tensor self = arguments[0].toTensor();
    at::Tensor out = self.clamp_min(0);
    if (self.numel() != elements) out.data_ptr<float>()[self.numel() + 8] = 1;
    return {out};
  });
  EXPECT_EQ(check.verdict, Verdict::pass);
}

TEST(FurtherQuestions, AKernelThatRefusesOtherShapesIsHonest) {
  const CaseCheck check = checked([](const Stack& arguments) -> Stack {
    if (arguments[0].toTensor().numel() != elements) throw std::runtime_error("8×16 alone");
    return relu(arguments);
  });
  EXPECT_EQ(check.verdict, Verdict::pass);
  EXPECT_EQ(check.elsewhere, "");
}

/// What is said of a kernel that a strict judge asks.
std::string saidApart(const LambdaCandidate::Kernel& kernel) {
  const Questioned asked(kernel);
  CaseCheck check;
  check.verdict = Verdict::pass;
  const AskedApart strictly{
      .isAlive = [] { return true; }, .ending = [] { return std::string(); }, .asksStrides = true};
  askApart(asked.context, asked.definition, strictly, check);
  return check.elsewhere;
}

TEST(FurtherQuestions, StrictJudgesAskWithOtherStrides) {
  const LambdaCandidate::Kernel asItLies = [](const Stack& a) -> Stack {
    const at::Tensor& self = a[0].toTensor();
    return {at::from_blob(self.data_ptr(), self.sizes(), self.options().dtype(at::kFloat)).clamp_min(0)};
  };
  EXPECT_EQ(saidApart(asItLies), "wrong with other strides: transposed");
  EXPECT_EQ(checked(asItLies).elsewhere, "") << "by default that is honest";
  EXPECT_EQ(saidApart(relu), "");
  EXPECT_EQ(saidApart([](const Stack& a) -> Stack {
              if (!a[0].toTensor().is_contiguous()) throw std::runtime_error("contiguous ones alone");
              return relu(a);
            }),
            "");
}

TEST(FurtherQuestions, OneThatTakesInfinitiesForNumbersIsSaidTo) {
  const auto bounded = [](const Stack& a) -> Stack {
    return {at::nan_to_num(relu(a)[0].toTensor(), 0, 1e30, -1e30)};
  };
  EXPECT_EQ(checked(bounded).elsewhere, "wrong with other values: infinities among them");
  const auto noNumbers = [](const Stack& a) -> Stack {
    const at::Tensor right = relu(a)[0].toTensor();
    return {at::where(right.isinf(), right - right, right)};
  };
  EXPECT_EQ(checked(noNumbers).elsewhere, "") << "that is how many an honest formula ends";
}

TEST(FurtherQuestions, OneThatBeginsAMaximumWithALargeNumberIsNotSaidToBeWrong) {
  const auto lowest = [](const Stack& a) -> Stack { return {a[0].toTensor().amax(1).clamp_min(-3e38)}; };
  EXPECT_EQ(checked(lowest, longEnough, "aten::amax", "((T([1000, 1], f32), [1]), {})").elsewhere, "");
}

TEST(FurtherQuestions, AKernelThatCrashesAtOtherShapesHarmsNobody) {
  const CaseCheck check = checked([](const Stack& arguments) -> Stack {
    if (arguments[0].toTensor().numel() != elements) std::abort();
    return relu(arguments);
  });
  EXPECT_EQ(check.verdict, Verdict::pass);
  EXPECT_THAT(check.elsewhere, StartsWith("crashes at other shapes: "));
}

TEST(FurtherQuestions, OneThatIsRightForValuesOfTheSuiteAloneIsSaidToBe) {
  const auto limited = [](const Stack& arguments) -> Stack {
    const at::Tensor right = arguments[0].toTensor().clamp_min(0);
    return {at::where(right > 50, at::zeros_like(right), right)};
  };
  EXPECT_THAT(checked(limited).elsewhere, HasSubstr("wrong with other values: up to"));
  const auto careless = [](const Stack& arguments) -> Stack {
    const at::Tensor self = arguments[0].toTensor(), right = self.pow(20);
    return {at::where(self.abs() < 0.55, at::zeros_like(right), right)};
  };
  const CaseCheck check =
      checked(careless, longEnough, "aten::pow.Tensor_Scalar", "((T([64, 64], f32), 20), {})");
  EXPECT_EQ(check.verdict, Verdict::pass) << "the tolerance takes it";
  EXPECT_THAT(check.elsewhere, HasSubstr("wrong with other values: about 8 times as small"));
}

TEST(FurtherQuestions, OneThatRoundsHalvesUpIsSaidTo) {
  const auto up = [](const Stack& a) -> Stack { return {(a[0].toTensor() + 0.5).floor()}; };
  const auto even = [](const Stack& a) -> Stack { return {a[0].toTensor().round()}; };
  const char* const args = "((T([64, 64], f32),), {})";
  EXPECT_EQ(checked(up, longEnough, "aten::round", args).elsewhere,
            "wrong with other values: multiples of one half, many of them equal");
  EXPECT_EQ(checked(even, longEnough, "aten::round", args).elsewhere, "");
}

TEST(FurtherQuestions, OneThatFindsTheLastOfEqualNumbersIsSaidTo) {
  const auto last = [](const Stack& a) -> Stack {
    const at::Tensor self = a[0].toTensor();
    return {self.size(1) - 1 - self.flip({1}).argmax(1)};
  };
  EXPECT_EQ(checked(last, longEnough, "aten::argmax", "((T([64, 64], f32), 1), {})").elsewhere,
            "wrong with other values: multiples of one half, many of them equal");
}

TEST(FurtherQuestions, TensorsWithoutDimensionsAreAskedForToo) {
  const auto matrices = [](const Stack& a) -> Stack {
    const at::Tensor self = a[0].toTensor();
    return {self.dim() == 0 ? self - 1 : self.clamp_min(0)};
  };
  EXPECT_EQ(checked(matrices).elsewhere, "wrong at other shapes: scalar");
}

TEST(FurtherQuestions, SquaresThatOverflowAreSaidToOfElementWiseOperators) {
  const auto squares = [](const Stack& a) -> Stack {
    return {(a[0].toTensor().square() + a[1].toTensor().square()).sqrt()};
  };
  EXPECT_EQ(checked(squares, longEnough, "aten::hypot", twoTensors).elsewhere,
            "wrong with other values: so large that their squares overflow");
}

TEST(FurtherQuestions, WhatIsAddedToOneBeforeItsLogarithmIsLost) {
  const auto lost = [](const Stack& a) -> Stack { return {(a[0].toTensor() + 1).log()}; };
  EXPECT_EQ(checked(lost, longEnough, "aten::log1p").elsewhere,
            "wrong with other values: about 2^30 times as small");
}

TEST(FurtherQuestions, NothingIsAskedInAForkWithoutTimeForIt) {
  const CaseCheck check = checked(
      [](const Stack& arguments) -> Stack {
        const at::Tensor& self = arguments[0].toTensor();
        return {self.numel() == elements ? self.clamp_min(0) : at::zeros_like(self)};
      },
      0);
  EXPECT_EQ(check.elsewhere, "");
}

/// What is said of a kernel that is asked apart and refuses to work at other shapes, from when on it can be
/// asked no more.
std::string askedApart(const std::string& ending, int& waits) {
  bool isAlive = true;
  const Questioned asked([&](const Stack& arguments) -> Stack {
    if (arguments[0].toTensor().numel() == elements) return relu(arguments);
    isAlive = false;
    throw std::runtime_error("lost");
  });
  CaseCheck check;
  check.verdict = Verdict::pass;
  askApart(asked.context, asked.definition,
           {.isAlive = [&] { return isAlive; },
            .ending = [&] { return ending; },
            .wait = [&]() -> Result<void> {
              ++waits;
              return {};
            }},
           check);
  return check.elsewhere;
}

TEST(FurtherQuestions, OneThatCannotBeAskedAnyMoreIsSaidToHaveEndedSo) {
  int waits = 0;
  EXPECT_THAT(askedApart("makes a fault of the GPU", waits),
              StartsWith("makes a fault of the GPU at other shapes: "));
  EXPECT_EQ(waits, 1) << "for the call that it answered";
}

TEST(FurtherQuestions, OneThatWasTooSlowIsNotRemarkedOn) {
  int waits = 0;
  EXPECT_EQ(askedApart("", waits), "");
}

TEST(Forked, WhatItSaysArrivesAndWhatItDoesDoesNot) {
  int number = 1;
  const ForkedAnswer answer = inFork(
      [&](const SayInFork& say) {
        number = 2;
        say("two ");
        say("words");
      },
      {longEnough, longEnough});
  EXPECT_EQ(answer.said, "two words");
  EXPECT_EQ(answer.ending, ForkedAnswer::Ending::done);
  EXPECT_EQ(number, 1);
}

TEST(Forked, OneThatCrashesLeavesItsWords) {
  const ForkedAnswer answer = inFork(
      [](const SayInFork& say) {
        say("last words");
        std::abort();
      },
      {longEnough, longEnough});
  EXPECT_EQ(answer.said, "last words");
  EXPECT_EQ(answer.ending, ForkedAnswer::Ending::signal);
}

TEST(Forked, OneThatEndsItselfIsNotDone) {
  const ForkPatience patience{longEnough, longEnough};
  EXPECT_EQ(inFork([](const SayInFork&) { ::_exit(0); }, patience).ending, ForkedAnswer::Ending::exit);
  EXPECT_EQ(inFork([](const SayInFork&) { throw 7; }, patience).ending, ForkedAnswer::Ending::threw);
}

TEST(Forked, OneThatSaysNothingIsEnded) {
  const ForkedAnswer answer = inFork(
      [](const SayInFork&) {
        for (;;) ::pause();
      },
      {0.01, 0.01});
  EXPECT_EQ(answer.said, "");
  EXPECT_EQ(answer.ending, ForkedAnswer::Ending::late);
}

TEST(OwnValues, WhatLooksDrawnChangesAndAMaskStays) {
  const at::Tensor drawn = at::rand({64, 32}), mask = (at::rand({64, 32}) < 0.5).to(at::kFloat);
  const auto signs = changedOwn({drawn, mask}, OwnValues::negative, 0, 1);
  ASSERT_TRUE(signs);
  EXPECT_TRUE((*signs)[0].toTensor().abs().equal(drawn));
  EXPECT_TRUE((*signs)[0].toTensor().lt(0).any().item<bool>());
  EXPECT_TRUE((*signs)[1].toTensor().equal(mask));
  EXPECT_FALSE(changedOwn({mask}, OwnValues::negative, 0, 1));
  EXPECT_FALSE(changedOwn({drawn - 0.5}, OwnValues::negative, 0, 1)) << "there are some already";
  EXPECT_FALSE(changedOwn({drawn.to(at::kHalf)}, OwnValues::large, 8, 1)) << "it has no room for them";
  const auto halves = changedOwn({drawn}, OwnValues::halves, 0, 1);
  ASSERT_TRUE(halves);
  EXPECT_FALSE((*halves)[0].toTensor().eq(0).any().item<bool>()) << "somebody may divide by it";
}

TEST(OwnValues, OfMillionsTheSignsOfTheFirstComeAgain) {
  constexpr std::int64_t many = std::int64_t{5} << 20, half = many / 2;
  const auto signs = changedOwn({at::rand({many})}, OwnValues::negative, 0, 1);
  ASSERT_TRUE(signs);
  const at::Tensor all = (*signs)[0].toTensor().lt(0);
  for (const at::Tensor& part : {all.slice(0, 0, half), all.slice(0, half, many)})
    EXPECT_NEAR(static_cast<double>(part.sum().item<std::int64_t>()), 0.5 * half, 0.01 * half);
}

TEST(OtherValues, TheTypicalSizeOfMillionsIsThatOfSomeOfThem) {
  EXPECT_NEAR(typicalSize(at::linspace(-1, 1, std::int64_t{5} << 20)), 0.5, 1e-3);
  EXPECT_EQ(typicalSize(at::tensor({3.0, -2.0, 1.0})), 2);
}

TEST(OtherValues, AnAnswerWithinRoundingIsNotFarOff) {
  const at::Tensor right = at::linspace(1, 2, 1000, at::kFloat);
  const Stack expected{right}, close{right * 1.01}, off{right * 1.5};
  EXPECT_FALSE(isFarOff(close, expected, OtherValues::large));
  EXPECT_TRUE(isFarOff(off, expected, OtherValues::large));
  EXPECT_TRUE(isFarOff({at::zeros_like(right)}, expected, OtherValues::small));
}

}  // namespace
}  // namespace wb
