// SPDX-License-Identifier: Apache-2.0
// A kernel is asked at other shapes than its job names, and where it can be asked no more.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>

#include "core/engine/check/further/asking.h"
#include "tests/engine/pipeline/further/questioned.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(FurtherQuestions, AKernelThatIsRightEverywherePassesWithoutARemark) {
  const CaseCheck check = checked(relu);
  EXPECT_EQ(check.verdict, Verdict::pass) << check.message;
  EXPECT_EQ(check.elsewhere, "");
}

TEST(FurtherQuestions, AKernelForOneShapeIsSaidToBeWrongAtOthers) {
  const CaseCheck check = checked([](const Stack& arguments) -> Stack {
    const at::Tensor& self = arguments[0].toTensor();
    return {self.numel() == elements ? self.clamp_min(0) : at::zeros_like(self)};
  });
  EXPECT_EQ(check.verdict, Verdict::pass) << "it may honestly have been written for it";
  EXPECT_THAT(check.elsewhere, StartsWith("wrong at other shapes: "));
}

TEST(FurtherQuestions, AKernelThatRefusesOtherShapesIsHonest) {
  const CaseCheck check = checked([](const Stack& arguments) -> Stack {
    if (arguments[0].toTensor().numel() != elements) throw std::runtime_error("8×16 alone");
    return relu(arguments);
  });
  EXPECT_EQ(check.verdict, Verdict::pass);
  EXPECT_EQ(check.elsewhere, "");
}

/// Takes memory as it lies, whatever the strides are.
Stack asItLies(const Stack& arguments) {
  const at::Tensor& self = arguments[0].toTensor();
  return {at::from_blob(self.data_ptr(), self.sizes(), self.options()).clamp_min(0)};
}
constexpr const char* wrongWithStrides =
    "wrong with other strides: transposed (call .contiguous() or read the strides)";

TEST(FurtherQuestions, AKernelIsAskedWithOtherStrides) {
  const Questioned asked(asItLies);
  EXPECT_EQ(checkCase(asked.context, asked.definition).verdict, Verdict::pass)
      << "no case of its job has any";
  EXPECT_EQ(asked.further.remark.words, wrongWithStrides);
  EXPECT_TRUE(asked.further.remark.isOnStridesAlone);
}

TEST(FurtherQuestions, AKernelThatRefusesOtherStridesOrMakesThemContiguousIsHonest) {
  EXPECT_EQ(checked([](const Stack& arguments) -> Stack {
              if (!arguments[0].toTensor().is_contiguous()) throw std::runtime_error("contiguous ones alone");
              return asItLies(arguments);
            }).elsewhere,
            "");
  EXPECT_EQ(checked([](const Stack& arguments) {
              return asItLies({arguments[0].toTensor().contiguous()});
            }).elsewhere,
            "");
}

TEST(FurtherQuestions, StridesAreNotAskedForWhereTheJobHasSome) {
  Questioned asked(asItLies);
  asked.further.asksStrides = false;
  EXPECT_EQ(checked(asked).elsewhere, "");
}

TEST(FurtherQuestions, WhoIsWrongWithStridesIsAskedWhereItIsCheckedAsWell) {
  const pid_t home = ::getpid();
  const CaseCheck check = checked([home](const Stack& arguments) -> Stack {
    const at::Tensor& self = arguments[0].toTensor();
    at::Tensor answer = at::zeros_like(self);
    const std::int64_t known = ::getpid() == home ? self.numel() / 64 * 64 : self.numel();
    const at::Tensor from = self.contiguous();
    for (std::int64_t i = 0; i < known; ++i)
      answer.mutable_data_ptr<float>()[i] = std::max(0.0F, from.const_data_ptr<float>()[i]);
    return {answer};
  });
  EXPECT_EQ(check.verdict, Verdict::pass);
  EXPECT_THAT(check.elsewhere,
              testing::AllOf(HasSubstr("at other shapes: "), HasSubstr("though right in a copy")));
}

/// What is remarked on somebody who is asked so.
Remark remarkOnOneWho(const std::function<void(Asking&)>& answers, const std::string& ending = {}) {
  std::string said;
  const SayInFork say = [&](const std::string& words) { said += words; };
  Asking asking(say);
  asking.canAnswer();
  answers(asking);
  return remarkOn(said, ending);
}

TEST(FurtherQuestions, WhoRefusesIsSaidToAndANoteIsNoWordAgainstIt) {
  const Remark refused = remarkOnOneWho([](Asking& asking) {
    asking.asked("with other values: negative ones");
    asking.isRefused("with other values: negative ones", "ValueError: range\nmore");
  });
  EXPECT_EQ(refused.words, "refuses to answer with other values: negative ones (ValueError: range)");
  EXPECT_EQ(refused.note, "");
  const Remark noted = remarkOnOneWho([](Asking& asking) {
    asking.isNoted("Nobody knows.");
    asking.isNoted("Nor does anybody else.");
  });
  EXPECT_EQ(noted.words, "");
  EXPECT_EQ(noted.note, "Nobody knows. Nor does anybody else.");
}

TEST(FurtherQuestions, ARemarkIsOnStridesAloneWhereEachOfItsPartsIs) {
  const auto strides = [](Asking& asking) {
    asking.asked("with other strides: expanded");
    asking.isWrongWithStrides("with other strides: expanded");
  };
  const Remark alone = remarkOnOneWho(strides);
  EXPECT_EQ(alone.words, "wrong with other strides: expanded");
  EXPECT_TRUE(alone.isOnStridesAlone);
  EXPECT_FALSE(remarkOnOneWho(strides, "crashes").isOnStridesAlone);
  EXPECT_FALSE(remarkOnOneWho([](Asking&) {}).isOnStridesAlone);
  const Remark both = remarkOnOneWho([&](Asking& asking) {
    asking.isWrong("at other shapes: 63×1027");
    strides(asking);
  });
  EXPECT_EQ(both.words, "wrong at other shapes: 63×1027; wrong with other strides: expanded");
  EXPECT_FALSE(both.isOnStridesAlone);
}

TEST(FurtherQuestions, StrictJudgesAskWithOtherStrides) {
  const Questioned asked(asItLies);
  CaseCheck check;
  check.verdict = Verdict::pass;
  const AskedApart strictly{
      .isAlive = [] { return true; }, .ending = [] { return std::string(); }, .isStrict = true};
  EXPECT_EQ(askApart(asked.context, asked.definition, strictly, check).words, wrongWithStrides);
}

TEST(FurtherQuestions, OneThatTakesMemoryAsItLiesWhereItIsCheckedAloneIsAskedThere) {
  const pid_t home = ::getpid();
  const Questioned asked(
      [home](const Stack& arguments) { return ::getpid() == home ? asItLies(arguments) : relu(arguments); });
  EXPECT_EQ(checked(asked).elsewhere,
            std::string(wrongWithStrides) + ", though right in a copy of its process");
  EXPECT_FALSE(asked.further.remark.isOnStridesAlone) << "it knows when it is asked";
}

TEST(FurtherQuestions, TensorsWithoutDimensionsAreAskedForToo) {
  const auto matrices = [](const Stack& a) -> Stack {
    const at::Tensor self = a[0].toTensor();
    return {self.dim() == 0 ? self - 1 : self.clamp_min(0)};
  };
  EXPECT_EQ(checked(matrices).elsewhere, "wrong at other shapes: scalar");
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
  return askApart(asked.context, asked.definition,
                  {.isAlive = [&] { return isAlive; },
                   .ending = [&] { return ending; },
                   .wait = [&]() -> Result<void> {
                     ++waits;
                     return {};
                   }},
                  check)
      .words;
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

}  // namespace
}  // namespace wb
