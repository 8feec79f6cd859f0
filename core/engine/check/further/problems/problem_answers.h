// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/engine/cases/kernel_context.h"
#include "core/engine/check/further/asking.h"
#include "core/engine/check/further/other_values.h"
#include "core/model/operators/literal.h"

namespace wb {

/// What a problem's kernel answers to one question after the other: says where it refuses, or takes so long
/// that it seems not to want to be asked, and knows whether there is time for one more.
class ProblemAnswers {
 public:
  /// What is compared with others is drawn from `seed`.
  ProblemAnswers(const KernelContext& kernel, std::uint64_t seed, Asking& asking, const AskedApart& apart)
      : kernel_(kernel), seed_(seed), asking_(asking), apart_(apart) {}

  /// What its call takes for its own values, in seconds.
  void takesForItsOwn(double seconds) { own_ = seconds; }
  /// A question begins: "with other values: negative numbers among them".
  void asked(const std::string& words);
  /// A question for another number, for which something may be compiled.
  void askedForNumber(const std::string& words);
  /// What both sides answer. Errors: one of them refuses.
  Result<BothAnswers> to(const Literal& call, const Stack& arguments);
  /// What the reference alone answers, and what it answers in float64: nothing where that is not known.
  Result<Stack> reference(const Stack& arguments) const;
  [[nodiscard]] Stack inFloat64(const Stack& arguments) const;
  /// These are the answers to the problem's own values. Where the reference's is infinite, as where a mask
  /// hides something, it always is, and nothing is asked: such places are left out of all that follow.
  void leavesInfiniteOutOf(BothAnswers& own);
  void leaveInfinite(BothAnswers& both) const;
  [[nodiscard]] bool areAlwaysInfinite() const { return !usual_.empty(); }
  /// Whether some result is far off and is not rounding: of rounding the reference makes something else
  /// itself of values that differ in their last bits, be it because equal ones are no longer equal (torch
  /// promises nothing of their order), or in float64. What is small may have lost so many bits that only
  /// others in half of their bits are rounded in another way.
  bool isWrong(const BothAnswers& both, OtherValues kind) const;
  /// Whether no answer is the kernel's fault, of which one word is enough.
  bool isUnanswered(const Error& error, const Stack& arguments);

  /// Whether there is time for one more question. For the first of its kind there is where the kernel is
  /// quick: else it could work for long on one question to avoid all others.
  [[nodiscard]] bool goOn(bool isFirst = false);
  /// Some kind of question was not asked at all.
  [[nodiscard]] bool areCutShort() const { return areCutShort_; }
  void cutShort() { areCutShort_ = true; }
  /// The seconds in all of calls that were slow for once.
  [[nodiscard]] double forgiven() const { return forgiven_; }

 private:
  /// Says it where the kernel is slow again. Gives the answer that counts, which is the one that it gives
  /// when it is asked again: it could be right, and late, for once.
  Result<BothAnswers> afterSlow(const Literal& call, const Stack& arguments, double took,
                                Result<BothAnswers> answer);
  [[nodiscard]] bool isSlow(double took) const;
  [[nodiscard]] Stack asFarAsFinite(Stack results) const;

  const KernelContext& kernel_;
  std::uint64_t seed_;
  Asking& asking_;
  const AskedApart& apart_;
  std::string words_;
  /// The reference's answer to the problem's own values where it is not finite throughout.
  Stack usual_;
  double own_ = 0, forgiven_ = 0;
  int questions_ = 0, slowOnce_ = 0;
  bool isForNumber_ = false, hasRefused_ = false, hasSaidSlow_ = false, areCutShort_ = false;
};

}  // namespace wb
