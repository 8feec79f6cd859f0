// SPDX-License-Identifier: Apache-2.0
// A kernel is asked in a copy of its process, and in its own where it does not answer there.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "core/engine/check/further/questions_here.h"
#include "core/engine/sides/process/forked.h"
#include "tests/engine/pipeline/further/questioned.h"

namespace wb {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

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
  CaseCheck check = checked(asked);
  EXPECT_EQ(check.verdict, Verdict::pass) << check.message;
  EXPECT_EQ(check.elsewhere, "") << "nobody has heard anything";
  EXPECT_TRUE(asked.further.isUnanswered);
  EXPECT_LT(asked.further.checkSeconds, check.seconds) << "the wait for the fork is no part of it";
  check.seconds = asked.further.checkSeconds;
  const auto later = std::chrono::steady_clock::now() + std::chrono::seconds{60};
  Remark remark;
  EXPECT_TRUE(askHere(asked.context, asked.definition, later, check, remark)) << "it has harmed nobody";
  EXPECT_THAT(remark.words, StartsWith("wrong at other shapes: "));
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
  Remark remark;
  const auto ever = std::chrono::steady_clock::time_point::max();
  EXPECT_FALSE(askHere(asked.context, asked.definition, ever, check, remark));
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

TEST(FurtherQuestions, AKernelThatCrashesAtOtherShapesHarmsNobody) {
  const CaseCheck check = checked([](const Stack& arguments) -> Stack {
    if (arguments[0].toTensor().numel() != elements) std::abort();
    return relu(arguments);
  });
  EXPECT_EQ(check.verdict, Verdict::pass);
  EXPECT_THAT(check.elsewhere, StartsWith("crashes at other shapes: "));
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

}  // namespace
}  // namespace wb
