// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/problem_questions.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/check/further/other_values.h"
#include "core/engine/check/further/own_values.h"
#include "core/engine/reference/seed.h"

namespace wb {
namespace {

/// A question with other values: the kind by which the answer is judged, and how far they reach, the furthest
/// first. The first for which the reference's answer is finite counts.
struct OwnQuestion {
  OwnValues values;
  OtherValues judgedAs;
  std::vector<int> reaches;
};

std::vector<OwnQuestion> questions() {
  return {{OwnValues::negative, OtherValues::mixed, {0}},
          {OwnValues::large, OtherValues::large, {8, 4, 2}},
          {OwnValues::small, OtherValues::small, {12}},
          {OwnValues::halves, OtherValues::halves, {0}}};
}

class ProblemQuestions {
 public:
  ProblemQuestions(const KernelContext& kernel, const Literal& call, std::uint64_t seed, Asking& asking,
                   const AskedApart& apart)
      : kernel_(kernel), call_(call), seed_(seed), asking_(asking), apart_(apart) {}

  void ask() {
    rememberBuffers(kernel_.models);
    Result<Stack> own = kernel_.ownInputs(mixSeeds(seed_, 0));
    if (!own) return;
    const auto same = answers(*own);
    if (!same || !isRight(kernel_, *same)) return;
    asking_.canAnswer();
    askBuffers();
    for (const OwnQuestion& each : questions())
      if (goOn()) askValues(*own, each);
    if (goOn()) askParameters(*std::move(own));
  }

 private:
  [[nodiscard]] bool goOn() const {
    if (apart_.letOthers) apart_.letOthers();
    return apart_.isAlive();
  }

  Result<BothAnswers> answers(Stack arguments) const {
    // A problem's kernel, a Python one, allocates its results itself and needs no plan.
    return answersTo(kernel_, call_, std::move(arguments), {}, apart_.wait);
  }

  void askBuffers() {
    if (const std::string left = bufferLeft(kernel_.models); !left.empty())
      asking_.isWrong(fmt::format("in what it keeps: {} stays as it was, which the reference changes", left));
  }

  void askValues(const Stack& own, const OwnQuestion& question) {
    for (const int octaves : question.reaches) {
      const std::optional<Stack> changed = changedOwn(own, question.values, octaves, mixSeeds(seed_, 1));
      if (!changed) return;
      const std::string words = "with other values: " + wordsOf(question.values, octaves);
      asking_.asked(words);
      const auto both = answers(*changed);
      if (!both || !allFinite(both->expected)) continue;
      if (isFarOff(both->actual, both->expected, question.judgedAs) && !isRounding(*both, question))
        asking_.isWrong(words);
      return;
    }
  }

  /// Whether the reference itself makes something else of values that differ in their last bits, be it
  /// because equal ones are no longer equal: torch promises nothing of their order.
  bool isRounding(const BothAnswers& both, const OwnQuestion& question) {
    const auto near = referenceAnswer(kernel_, withOtherLastBits(both.pristine, mixSeeds(seed_, 2)));
    return !near || isFarOff(*near, both.expected, question.judgedAs);
  }

  void askParameters(Stack own) {
    if (!kernel_.models.areBoth()) return;
    // To make both models again is no question yet.
    asking_.asked("");
    if (!drawParameters(kernel_.models, mixSeeds(seed_, 3))) return;
    const std::string words = "with other parameters: drawn, where layers begin with ones and zeros";
    asking_.asked(words);
    const auto both = answers(std::move(own));
    if (both && allFinite(both->expected) && !isRight(kernel_, *both)) asking_.isWrong(words);
  }

  const KernelContext& kernel_;
  const Literal& call_;
  std::uint64_t seed_;
  Asking& asking_;
  const AskedApart& apart_;
};

}  // namespace

void askProblem(const KernelContext& kernel, const Literal& call, std::uint64_t seed, Asking& asking,
                const AskedApart& apart) {
  ProblemQuestions(kernel, call, seed, asking, apart).ask();
}

}  // namespace wb
