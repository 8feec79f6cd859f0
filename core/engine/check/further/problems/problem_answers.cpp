// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/problems/problem_answers.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/worked_seconds.h"
#include "core/engine/check/compare/outputs.h"
#include "core/engine/check/further/own_values.h"
#include "core/engine/check/oracle.h"
#include "core/engine/reference/seed.h"

namespace wb {
namespace {

/// A kernel that answers its own values within the first of these is quick: each kind of question has one in
/// any case. It is slow for others where it takes so long, and so many times as long; longer where it was
/// ended meanwhile, be it for a busy machine.
constexpr double quickCall = 0.02, slowSeconds = 0.5, slowTimes = 100, slowWhereEnded = 1.5;
/// One that is interrupted is so once, and not for several questions, and most of all.
constexpr int looksAtSlow = 3;
/// The reference then has to take less than such a part of that.
constexpr double mostOfSlow = 0.1;

/// A single number that is rounding may be nearly the same with other bits, but not so often.
constexpr std::uint64_t timesOther = 5;

}  // namespace

void ProblemAnswers::asked(const std::string& words) {
  words_ = words;
  isForNumber_ = false;
  questions_ += words.empty() ? 0 : 1;
  asking_.asked(words);
}

void ProblemAnswers::askedForNumber(const std::string& words) {
  asked(words);
  isForNumber_ = true;
}

Result<BothAnswers> ProblemAnswers::to(const Literal& call, const Stack& arguments) {
  const double start = steadySeconds();
  // A problem's kernel, a Python one, allocates its results itself and needs no plan.
  Result<BothAnswers> both = answersTo(kernel_, call, arguments, {}, apart_.wait);
  const double took = both ? both->seconds : steadySeconds() - start;
  if (!words_.empty() && isSlow(took)) both = afterSlow(call, arguments, took, std::move(both));
  if (both) leaveInfinite(*both);
  return both;
}

Result<Stack> ProblemAnswers::reference(const Stack& arguments) const {
  WB_TRY(Stack results, referenceAnswer(kernel_, arguments));
  return asFarAsFinite(std::move(results));
}

Stack ProblemAnswers::inFloat64(const Stack& arguments) const {
  Stack wide = oracleOutputs(kernel_, arguments);
  return wide.empty() ? wide : asFarAsFinite(std::move(wide));
}

void ProblemAnswers::leavesInfiniteOutOf(BothAnswers& own) {
  if (allFinite(own.expected)) return;
  usual_ = cloneArguments(own.expected);
  leaveInfinite(own);
}

void ProblemAnswers::leaveInfinite(BothAnswers& both) const {
  both.actual = asFarAsFinite(std::move(both.actual));
  both.expected = asFarAsFinite(std::move(both.expected));
}

Stack ProblemAnswers::asFarAsFinite(Stack results) const {
  if (usual_.empty()) return results;
  return withoutInfinite(results, usual_);
}

bool ProblemAnswers::isWrong(const BothAnswers& both, OtherValues kind) const {
  std::vector<std::size_t> wrong = farOffResults(both.actual, both.expected, kind);
  if (wrong.empty() || !allFinite(both.actual)) return !wrong.empty();
  const auto leaveOut = [&](const Result<Stack>& near) {
    if (!near) return wrong.clear();
    const std::vector<std::size_t> other = farOffResults(*near, both.expected, kind);
    std::erase_if(wrong, [&](std::size_t each) { return std::ranges::count(other, each) > 0; });
  };
  leaveOut(reference(withOtherLastBits(both.pristine, mixSeeds(seed_, 2))));
  if (const Stack wide = wrong.empty() ? Stack() : inFloat64(both.pristine); !wide.empty()) leaveOut(wide);
  for (std::uint64_t turn = 0; kind == OtherValues::small && turn < timesOther && !wrong.empty(); ++turn)
    leaveOut(reference(withOtherLastHalves(both.pristine, mixSeeds(seed_, 7 + turn))));
  return !wrong.empty();
}

bool ProblemAnswers::isSlow(double took) const {
  return took > std::max(slowSeconds, slowTimes * own_);
}

/// Nothing is compiled for values, so that a kernel which takes long for others than its own, time and again,
/// is one that does not want to be asked, or has kept its answers.
Result<BothAnswers> ProblemAnswers::afterSlow(const Literal& call, const Stack& arguments, double took,
                                              Result<BothAnswers> answer) {
  if (hasSaidSlow_ || (!apart_.isAlive() && took < slowWhereEnded)) return answer;
  double least = took;
  for (int look = 1; look < looksAtSlow && apart_.isAlive() && isSlow(least); ++look) {
    auto again = answersTo(kernel_, call, arguments, {}, apart_.wait);
    if (!again) break;
    least = std::min(least, again->seconds);
    answer = std::move(again);
  }
  const bool isOnce = !isSlow(least);
  if (isOnce && !isForNumber_) ++slowOnce_;
  if (isOnce && (isForNumber_ || slowOnce_ < looksAtSlow || 2 * slowOnce_ <= questions_)) {
    forgiven_ += took;
    if (apart_.forgive) apart_.forgive(took);
    return answer;
  }
  const double start = steadySeconds();
  if (!referenceAnswer(kernel_, arguments) || steadySeconds() - start > mostOfSlow * took) return answer;
  hasSaidSlow_ = true;
  asking_.isSlow(words_, isOnce ? took : least, own_);
  return answer;
}

bool ProblemAnswers::isUnanswered(const Error& error, const Stack& arguments) {
  if (!hasRefused_) hasRefused_ = sayUnanswered(asking_, kernel_, apart_, words_, error, arguments);
  return hasRefused_;
}

bool ProblemAnswers::goOn(bool isFirst) {
  if (apart_.letOthers) apart_.letOthers();
  if (apart_.mayAsk()) return true;
  if (isFirst && own_ < quickCall) return apart_.isAlive();
  areCutShort_ = areCutShort_ || isFirst;
  return false;
}

}  // namespace wb
