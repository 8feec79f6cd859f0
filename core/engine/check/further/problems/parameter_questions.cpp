// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/problems/parameter_questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "core/engine/check/compare/outputs.h"
#include "core/engine/check/further/other_values.h"
#include "core/engine/reference/seed.h"

namespace wb {
namespace {

std::string_view wordsOf(ParameterValues values) {
  switch (values) {
    case ParameterValues::others:
      return "negative ones where none is, and others than the identity";
    case ParameterValues::large:
      return "64 times as large";
    case ParameterValues::constants:
    case ParameterValues::changed:
    case ParameterValues::putBack:
      break;
  }
  return "drawn, where layers begin with ones and zeros";
}

bool isAnyShort(const Stack& results) {
  return std::ranges::any_of(flatOutputs(results), [](const Output& each) {
    return each.tensor.defined() && each.tensor.is_floating_point() &&
           each.tensor.element_size() < std::int64_t{sizeof(float)};
  });
}

class ParameterQuestions {
 public:
  ParameterQuestions(const AskedOwn& asked, Asking& asking, const AskedApart& apart, ProblemAnswers& answers)
      : asked_(asked), asking_(asking), apart_(apart), answers_(answers) {}

  void ask() {
    if (!asked_.kernel.models.areBoth()) return;
    if (!apart_.isBrief) askChanged();
    for (const ParameterValues values :
         {ParameterValues::constants, ParameterValues::others, ParameterValues::large}) {
      // Those that begin as ones and zeros are asked for in any case, since most are.
      if (values != ParameterValues::constants && !answers_.goOn()) return;
      ask(values);
    }
  }

 private:
  /// Whether parameters are looked at in each call. Many an honest kernel packs them when it is made.
  void askChanged() {
    if (!answers_.goOn()) return;
    struct PutBack {
      const ProblemModels& models;
      ~PutBack() { (void)drawParameters(models, 0, ParameterValues::putBack); }
    } const afterwards{asked_.kernel.models};
    answers_.asked("");
    if (drawParameters(asked_.kernel.models, mixSeeds(asked_.seed, 18), ParameterValues::changed) !=
        ParametersDrawn::alike)
      return;
    const auto both = answers_.to(asked_.call, asked_.own);
    if (both && allFinite(both->expected) && !isAnyShort(both->expected) &&
        answers_.isWrong(*both, OtherValues::mixed))
      asking_.isNoted(
          "The kernel takes no notice of parameters that are changed in place after it was made, as an "
          "optimizer changes them. It was asked with others by being made again.");
  }

  void ask(ParameterValues values) {
    // To make both models again is no question yet.
    answers_.asked("");
    const ParametersDrawn drawn = drawParameters(asked_.kernel.models, mixSeeds(asked_.seed, 3), values);
    if (drawn == ParametersDrawn::different && !std::exchange(hasNoted_, true))
      asking_.isNoted(
          "The kernel was not asked with other parameters, such as trained ones: those that it has differ "
          "from Model's in their names, their shapes or the way in which they are made.");
    if (drawn != ParametersDrawn::alike) return;
    const std::string words = fmt::format("with other parameters: {}", wordsOf(values));
    answers_.asked(words);
    auto both = answersTo(asked_.kernel, asked_.call, cloneArguments(asked_.own), {}, apart_.wait);
    if (!both) {
      (void)answers_.isUnanswered(both.error(), asked_.own);
      return;
    }
    if (values == ParameterValues::constants) {
      if ((allFinite(both->expected) || answers_.areAlwaysInfinite()) && !isRight(asked_.kernel, *both))
        asking_.isWrong(words);
      return;
    }
    answers_.leaveInfinite(*both);
    // Of short types so much is rounding that only what is no number any more tells.
    if (!allFinite(both->expected) || (isAnyShort(both->expected) && allFinite(both->actual))) return;
    if (answers_.isWrong(*both, OtherValues::mixed)) asking_.isWrong(words);
  }

  const AskedOwn& asked_;
  Asking& asking_;
  const AskedApart& apart_;
  ProblemAnswers& answers_;
  bool hasNoted_ = false;
};

}  // namespace

void askParameters(const AskedOwn& asked, Asking& asking, const AskedApart& apart, ProblemAnswers& answers) {
  ParameterQuestions(asked, asking, apart, answers).ask();
}

}  // namespace wb
