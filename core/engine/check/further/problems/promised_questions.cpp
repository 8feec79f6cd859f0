// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/problems/promised_questions.h"

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>

#include "core/engine/check/further/other_values.h"
#include "core/engine/check/further/own_values.h"
#include "core/engine/reference/seed.h"

namespace wb {
namespace {

class PromisedQuestions {
 public:
  PromisedQuestions(const AskedOwn& asked, Asking& asking, const AskedApart& apart, ProblemAnswers& answers)
      : asked_(asked), asking_(asking), apart_(apart), answers_(answers) {}

  void ask() {
    askNothing();
    if (apart_.isBrief) return;
    askSegments();
    askInCommon();
  }

  void askLast() {
    if (!apart_.isBrief && mayHarmNobody()) askRows();
  }

 private:
  /// Whether the kernel makes numbers of what is none where the reference does, as by nan_to_num().
  void askNothing() {
    const std::optional<Stack> changed =
        changedOwn(asked_.own, OwnValues::none, 0, mixSeeds(asked_.seed, 17));
    if (!changed || !answers_.goOn(true)) return;
    answers_.asked("with other values: " + wordsOf(OwnValues::none, 0));
    const auto both = answers_.to(asked_.call, *changed);
    // Where that comes of a comparison, which is false of what is no number, it may not be meant.
    if (both && allFinite(both->expected) && !allFinite(both->actual))
      asking_.isNoted(
          "Where inputs are no numbers (NaN) the kernel gives none, where the reference does. No case "
          "of its suite has such inputs, so this is no verdict.");
  }

  /// Segments lie one after the other for many an honest kernel, of which there is a word all the same.
  void askSegments() {
    for (std::size_t i = 0; i < asked_.own.size(); ++i) {
      const auto changed = withOtherOrder(asked_.own, i, mixSeeds(asked_.seed, 17), Ordered::segments);
      if (!changed) continue;
      if (!answers_.goOn()) return;
      if (isWrongWithout(*changed))
        asking_.isNoted(fmt::format(
            "The kernel relies on the order in which the numbers of '{}' come: it is wrong with another one.",
            asked_.kernel.op.schema().arguments()[i].name()));
    }
  }

  /// What numbers have in common may be promised, of which there is a word all the same.
  void askInCommon() {
    const std::optional<Stack> changed =
        answers_.goOn() ? withLessInCommon(asked_.own, mixSeeds(asked_.seed, 20)) : std::nullopt;
    if (changed && isWrongWithout(*changed))
      asking_.isNoted(
          "The kernel relies on what the problem's inputs have in common, as where they are sorted, "
          "symmetric or normalised, or one goes with another: it is wrong where each number is made up to "
          "four times as small by a part of its own.");
  }

  /// Whether it is asked in a copy of the process, or in a process of its own. A GPU's memory is in no copy.
  [[nodiscard]] bool mayHarmNobody() const {
    return asked_.kernel.device == "cpu" && (!apart_.isNoCopy() || apart_.isStrict);
  }

  /// Many an honest kernel is made for the sizes of its problem, and may write beyond memory of its own.
  void askRows() {
    const std::optional<Stack> changed = answers_.goOn() ? withMoreRows(asked_.own) : std::nullopt;
    // The last question about parameters may have left the two models with different ones.
    if (!changed || isWrongWithout(asked_.own)) return;
    if (isWrongWithout(*changed))
      asking_.isNoted(
          "The kernel is made for the sizes of the problem's inputs: it gives wrong answers, and no error, "
          "where these have twice as many rows.");
  }

  /// Whether its answer is wrong for what its author may take for granted.
  bool isWrongWithout(const Stack& changed) {
    answers_.asked("");
    const auto both = answers_.to(asked_.call, changed);
    return both && allFinite(both->expected) && answers_.isWrong(*both, OtherValues::mixed);
  }

  const AskedOwn& asked_;
  Asking& asking_;
  const AskedApart& apart_;
  ProblemAnswers& answers_;
};

}  // namespace

void askPromised(const AskedOwn& asked, Asking& asking, const AskedApart& apart, ProblemAnswers& answers) {
  PromisedQuestions(asked, asking, apart, answers).ask();
}

void askForMoreRows(const AskedOwn& asked, Asking& asking, const AskedApart& apart, ProblemAnswers& answers) {
  PromisedQuestions(asked, asking, apart, answers).askLast();
}

}  // namespace wb
