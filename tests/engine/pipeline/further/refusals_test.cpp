// SPDX-License-Identifier: Apache-2.0
// Kernels that do not want to be asked: they fail, end or take their time when questions come.
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "core/engine/check/further/problems/problem_answers.h"
#include "core/suites/literals/literal_parser.h"
#include "tests/engine/pipeline/further/questioned.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr double ownSeconds = 1e-4;

Remark askedStrictly(const LambdaCandidate::Kernel& kernel, bool isAlive = true) {
  const Questioned asked(kernel);
  CaseCheck check;
  check.verdict = Verdict::pass;
  return askApart(asked.context, asked.definition,
                  {.isAlive = [=] { return isAlive; }, .ending = [] { return "crashes"; }, .isStrict = true},
                  check);
}

TEST(Refusals, WhoFailsWhereItWasRightIsNamed) {
  const Remark remark = askedStrictly([](const Stack&) -> Stack { throw std::runtime_error("busy\nmore"); });
  EXPECT_THAT(remark.words, StartsWith("fails ("));
  EXPECT_THAT(remark.words, HasSubstr("busy"));
  EXPECT_THAT(remark.words, HasSubstr("when it is asked once more, where it was right when it was checked"));
}

TEST(Refusals, WhoEndsWhereItWasRightIsNamed) {
  const Remark remark =
      askedStrictly([](const Stack&) -> Stack { throw std::runtime_error("gone"); }, /*isAlive=*/false);
  EXPECT_EQ(remark.words, "crashes when it is asked once more, where it was right when it was checked");
}

TEST(Refusals, WhoIsWrongAboutAllContentsDrawnAnewIsNamedAndWhoIsSoByChanceIsNot) {
  int calls = 0;
  EXPECT_THAT(askedStrictly([](const Stack& a) -> Stack { return {a[0].toTensor() + 1}; }).words,
              StartsWith("is wrong when it is asked once more"));
  const Remark byChance = askedStrictly(
      [&](const Stack& a) -> Stack { return calls++ == 0 ? Stack{a[0].toTensor() + 1} : relu(a); });
  EXPECT_EQ(byChance.words, "");
}

// In a copy of a process its threads may be missing.
TEST(Refusals, WhoFailsInACopyIsAskedWhereItWasChecked) {
  const pid_t home = ::getpid();
  const Questioned asked([home](const Stack& arguments) -> Stack {
    if (::getpid() != home) throw std::runtime_error("no threads");
    return relu(arguments);
  });
  EXPECT_EQ(checked(asked).elsewhere, "");
  EXPECT_TRUE(asked.further.isUnanswered);
}

/// What a problem's kernel is asked, on an operator, which makes no difference here.
struct Answering {
  explicit Answering(const LambdaCandidate::Kernel& kernel, bool hasTime = true)
      : questioned(kernel),
        call(*parseLiteral(questioned.definition.args)),
        say([this](const std::string& words) { said += words; }),
        asking(say),
        apart{.isAlive = [] { return true; },
              .hasTime = [hasTime] { return hasTime; },
              .forgive = [this](double seconds) { forgiven += seconds; }},
        answers(questioned.context, /*seed=*/1, asking, apart) {
    asking.canAnswer();
    answers.takesForItsOwn(ownSeconds);
  }
  void ask(const std::string& words) {
    answers.asked(words);
    const Stack arguments{at::full({8, 16}, static_cast<double>(++questions))};
    const auto both = answers.to(call, arguments);
    if (!both) EXPECT_TRUE(answers.isUnanswered(both.error(), arguments));
  }
  [[nodiscard]] std::string words() const { return remarkOn(said, "").words; }

  Questioned questioned;
  Literal call;
  std::string said;
  double forgiven = 0;
  int questions = 0;
  SayInFork say;
  Asking asking;
  AskedApart apart;
  ProblemAnswers answers;
};

void rest() {
  std::this_thread::sleep_for(std::chrono::milliseconds{600});
}

TEST(Refusals, WhoTakesLongForOtherValuesEachTimeIsNamed) {
  Answering slow([](const Stack& arguments) {
    rest();
    return relu(arguments);
  });
  slow.ask("with other values: NaN");
  slow.ask("with other values: one half");
  EXPECT_THAT(slow.words(), StartsWith("takes "));
  EXPECT_THAT(slow.words(), HasSubstr(" with other values: NaN, and 100 µs for its own"));
  EXPECT_EQ(slow.forgiven, 0);
}

TEST(Refusals, WhoTakesLongOnceLosesNoTimeAndWhoDoesForEachQuestionIsNamed) {
  double known = 0;
  Answering slow([&](const Stack& arguments) {
    const double value = arguments[0].toTensor()[0][0].item<double>();
    if (value != known) rest();
    known = value;
    return relu(arguments);
  });
  slow.ask("with other values: NaN");
  EXPECT_EQ(slow.words(), "");
  EXPECT_GE(slow.forgiven, 0.5);
  EXPECT_EQ(slow.answers.forgiven(), slow.forgiven);
  slow.ask("with other values: one half");
  EXPECT_EQ(slow.words(), "");
  slow.ask("with other values: large");
  EXPECT_THAT(slow.words(), HasSubstr(" with other values: large, and "));
}

TEST(Refusals, OneWordIsEnoughOfOneThatRefusesAndNoMemoryIsNoExcuseOnTheHost) {
  Answering refuses([](const Stack&) -> Stack { throw std::runtime_error("out of memory"); });
  refuses.ask("with other values: NaN");
  refuses.ask("with other values: one half");
  EXPECT_THAT(refuses.words(), StartsWith("refuses to answer with other values: NaN ("));
  EXPECT_THAT(refuses.words(), testing::Not(HasSubstr("half")));
}

TEST(Refusals, AQuickKernelIsAskedOneQuestionOfEachKindWithoutTime) {
  Answering quick(relu, /*hasTime=*/false);
  EXPECT_TRUE(quick.answers.goOn(/*isFirst=*/true));
  EXPECT_FALSE(quick.answers.goOn());
  EXPECT_FALSE(quick.answers.areCutShort());
  quick.answers.takesForItsOwn(1);
  EXPECT_FALSE(quick.answers.goOn(/*isFirst=*/true));
  EXPECT_TRUE(quick.answers.areCutShort());
}

TEST(Refusals, NotesAreSaidOfOneThatIsAskedNothing) {
  const Remark remark = remarkOn("noted Nobody knows.\nwrong with other values: NaN\n", "");
  EXPECT_EQ(remark.note, "Nobody knows.");
  EXPECT_EQ(remark.words, "") << "it did not answer as before";
}

}  // namespace
}  // namespace wb
