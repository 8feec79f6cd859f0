// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/problems/problem_questions.h"

#include <ATen/ops/full_like.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/worked_seconds.h"
#include "core/engine/check/compare/outputs.h"
#include "core/engine/check/further/other_numbers.h"
#include "core/engine/check/further/other_values.h"
#include "core/engine/check/further/own_values.h"
#include "core/engine/check/further/problems/parameter_questions.h"
#include "core/engine/check/further/problems/problem_answers.h"
#include "core/engine/check/further/problems/promised_questions.h"
#include "core/engine/check/further/problems/single_numbers.h"
#include "core/engine/reference/seed.h"

namespace wb {
namespace {

/// A question with other values: the kind by which the answer is judged, and how far they reach, the furthest
/// first. The first for which the reference's answer is finite and no rounding counts; of small ones two do,
/// since of differences, such as a variance, there may be less left than either side's rounding, which the
/// next ones show.
struct OwnQuestion {
  OwnValues values;
  OtherValues judgedAs;
  std::vector<int> reaches;
};

/// The last has a reach that a kernel does not know beforehand.
std::vector<OwnQuestion> questions(std::uint64_t seed) {
  constexpr std::uint64_t mostSecret = 7, mostMild = 3;
  const std::uint64_t secret = mixSeeds(seed, 19);
  const std::vector<int> reaches{1 + static_cast<int>(secret % mostSecret),
                                 1 + static_cast<int>(secret / mostSecret % mostMild)};
  return {
      {OwnValues::negative, OtherValues::mixed, {0}},     {OwnValues::large, OtherValues::large, {8, 4, 2}},
      {OwnValues::small, OtherValues::small, {12, 9, 6}}, {OwnValues::halves, OtherValues::halves, {0}},
      {OwnValues::steady, OtherValues::mixed, {4}},       {OwnValues::allNegative, OtherValues::mixed, {0}},
      {OwnValues::large, OtherValues::large, reaches},    {OwnValues::noneNegative, OtherValues::mixed, {0}}};
}

/// How many octaves larger single numbers are made: so many that no other number matters beside them, and so
/// few that float32 loses nothing of the others. Of each the furthest counts for which the reference's answer
/// is finite.
constexpr std::array muchLarger{40, 20};
constexpr std::array larger{12, 8, 5};
/// For so long single numbers are made larger, since there may be many ways and other questions come after.
/// On a CPU it is what this thread has worked, as for other questions. Strictly it mostly waits for other
/// processes.
constexpr double longestForSingle = 0.4, longestForSingleStrictly = 1.2;
/// So many are asked however long they take: beside others on a GPU that time is over after the first.
constexpr int leastOfSingle = 4;

constexpr std::string_view withAnotherNumber = "with another number: ";

/// One that nobody knows beforehand.
double anotherThan(double given, std::uint64_t seed) {
  return timesNumber(given, secretTimes(mixSeeds(seed, 21)));
}

/// Whether most of what the reference hides by -∞ is there in the answer. Many an honest kernel hides by a
/// large negative number.
bool hidesOthers(const Stack& actual, const Stack& expected) {
  constexpr double hidden = -1e4, most = 0.5;
  const std::vector<Output> a = flatOutputs(actual), e = flatOutputs(expected);
  for (std::size_t i = 0; i < std::min(a.size(), e.size()); ++i) {
    const at::Tensor &there = a[i].tensor, &right = e[i].tensor;
    if (!right.defined() || !right.is_floating_point() || at::isFloat8Type(right.scalar_type()) ||
        !there.defined() || there.sizes() != right.sizes() || !there.is_floating_point())
      continue;
    const at::Tensor hides = right.isneginf();
    const auto all = hides.sum().item<std::int64_t>();
    const auto shown = hides.logical_and(there.to(at::kFloat) > hidden).sum().item<std::int64_t>();
    if (all > 0 && static_cast<double>(shown) > most * static_cast<double>(all)) return true;
  }
  return false;
}

class ProblemQuestions {
 public:
  ProblemQuestions(const KernelContext& kernel, const AskedCase& asked, Asking& asking,
                   const AskedApart& apart)
      : kernel_(kernel),
        call_(asked.call),
        seed_(asked.seed),
        parametersAlone_(asked.parametersAlone),
        asking_(asking),
        apart_(apart),
        answers_(kernel, asked.seed, asking, apart) {}

  void ask() {
    rememberBuffers(kernel_.models);
    if (parametersAlone_ && !kernel_.models.areBoth()) return;
    Result<Stack> own = kernel_.ownInputs(mixSeeds(seed_, 0));
    if (!own) return;
    {
      auto same = answers(*own);
      if (!same || !isRight(kernel_, *same)) return sayNotAgain(same);
      answers_.takesForItsOwn(quickestOf(*own, same->seconds));
      asking_.canAnswer();
      answers_.leavesInfiniteOutOf(*same);
      askBuffers();
      if (!parametersAlone_) {
        askSmall(*same);
        askInputs(*own, *same);
      }
    }
    const AskedOwn itsOwn{kernel_, call_, *own, seed_};
    // To make models again may take long.
    if (apart_.isAlive() && (!apart_.isBrief || goOn(true))) askParameters(itsOwn, asking_, apart_, answers_);
    if (!parametersAlone_) askForMoreRows(itsOwn, asking_, apart_, answers_);
    if (answers_.areCutShort() && !apart_.isBrief && apart_.isAlive())
      asking_.isNoted(
          "The kernel was not asked all that others are asked about other values: its calls take "
          "too long for that, or this machine is busy.");
  }

 private:
  /// What the kernel takes for its own values, in seconds: what it takes for others is compared with that,
  /// and one call may have been interrupted for longer than it works.
  double quickestOf(const Stack& own, double seconds) {
    constexpr double interrupted = 0.005, longest = 0.05;
    for (int again = 0; again < 2 && seconds > interrupted && seconds < longest; ++again)
      if (const auto both = answers(own); both) seconds = std::min(seconds, both->seconds);
    return seconds;
  }

  /// A kernel could avoid all questions by failing now. One that is wrong may keep something from each call,
  /// of which there were others here and in its check.
  void sayNotAgain(const Result<BothAnswers>& same) {
    if (!apart_.isNoCopy() || !apart_.isAlive()) return;
    if (!same) return sayFailsAgain(asking_, kernel_, same.error());
    asking_.isNoted(
        "Nobody knows what the kernel makes of other values: when it is asked once more, its answer is not "
        "that of the reference.");
  }

  /// Whether what is small in the answer is there at all: the tolerance takes zeros for it.
  void askSmall(const BothAnswers& same) {
    constexpr OtherValues kind = OtherValues::small;
    if (allFinite(same.expected) && answers_.isWrong(same, kind))
      asking_.isWrong("where the right answer is small");
  }

  void askKinds(const Stack& own) {
    // One is asked in any case, since a busy machine may take the little time of a brief look.
    bool isFirst = apart_.isBrief;
    for (const OwnQuestion& each : questions(seed_)) {
      if (!std::exchange(isFirst, false) && !goOn()) return answers_.cutShort();
      askValues(own, each);
    }
  }

  void askInputs(const Stack& own, const BothAnswers& same) {
    askKinds(own);
    askEqual(own);
    askOrder(own);
    askNumbers(own);
    askSingle(own, same);
    askPromised({kernel_, call_, own, seed_}, asking_, apart_, answers_);
  }

  [[nodiscard]] bool goOn(bool isFirst = false) { return answers_.goOn(isFirst); }

  Result<BothAnswers> answers(const Stack& arguments) { return answers_.to(call_, arguments); }

  void askBuffers() {
    if (const std::string left = bufferLeft(kernel_.models); !left.empty())
      asking_.isWrong(fmt::format("in what it keeps: {} stays as it was, which the reference changes", left));
  }

  void askValues(const Stack& own, const OwnQuestion& question) {
    const std::size_t enough = question.judgedAs == OtherValues::small ? 2 : 1;
    std::vector<std::string> wrong;
    for (const int octaves : question.reaches) {
      const std::optional<Stack> changed = changedOwn(own, question.values, octaves, mixSeeds(seed_, 1));
      if (!changed) return;
      const std::string words = "with other values: " + wordsOf(question.values, octaves);
      answers_.asked(words);
      const auto both = answers(*changed);
      if (!both && answers_.isUnanswered(both.error(), *changed)) return;
      if (!both || !allFinite(both->expected)) continue;
      // Of short types so much is rounding that only what is no number any more tells.
      if (isLargeAndShort(own, question.values) && allFinite(both->actual)) return;
      if (farOffResults(both->actual, both->expected, question.judgedAs).empty()) return;
      if (!answers_.isWrong(*both, question.judgedAs)) continue;
      wrong.push_back(words);
      if (wrong.size() == enough) return asking_.isWrong(wrong.front());
    }
  }

  static bool isLargeAndShort(const Stack& own, OwnValues values) {
    return values == OwnValues::large && std::ranges::any_of(own, [](const c10::IValue& each) {
             return each.isTensor() && each.toTensor().scalar_type() == at::kBFloat16;
           });
  }

  /// Whether a tensor is looked at that holds one number throughout, such as a mask that leaves nothing out,
  /// or truths, as a mask that is a triangle.
  void askEqual(const Stack& own) {
    bool isFirst = true;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::optional<Stack> changed = withOthersAmongEqual(own, i, mixSeeds(seed_, 6));
      if (!changed) continue;
      if (!goOn(std::exchange(isFirst, false))) return;
      const bool isTruth = own[i].toTensor().scalar_type() == at::kBool;
      judgeFarOff(call_, *changed,
                  fmt::format("with other values: some of '{}' {}", nameOf(i),
                              isTruth ? "the opposite" : "another number"));
    }
  }

  /// Whether positions are looked at that are the same each time.
  void askOrder(const Stack& own) {
    bool isFirst = true;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::optional<Stack> changed = withOtherOrder(own, i, mixSeeds(seed_, 16));
      if (!changed) continue;
      if (!goOn(std::exchange(isFirst, false))) return;
      judgeFarOff(call_, *changed, fmt::format("with other values: '{}' in another order", nameOf(i)));
    }
  }

  /// Whether a number or a truth is looked at that comes with the inputs. Next to a whole one there may be
  /// none that the reference takes.
  void askNumbers(const Stack& own) {
    for (std::size_t i = 0; i < own.size() && goOn(); ++i) {
      if (own[i].isTensor()) askNumberInTensor(own, i);
      if (own[i].isBool()) askFor(own, i, !own[i].toBool());
      if (own[i].isDouble()) askFor(own, i, anotherThan(own[i].toDouble(), seed_));
      if (!own[i].isInt()) continue;
      const std::int64_t more = own[i].toInt() + 1, less = own[i].toInt() - 1;
      if (!askFor(own, i, more)) askFor(own, i, less);
    }
  }

  /// The same of a number that is given as a tensor.
  void askNumberInTensor(const Stack& own, std::size_t place) {
    const at::Tensor& tensor = own[place].toTensor();
    if (!tensor.defined() || tensor.layout() != at::kStrided || tensor.numel() != 1 ||
        !tensor.is_floating_point() || at::isFloat8Type(tensor.scalar_type()))
      return;
    const double other = anotherThan(tensor.item<double>(), seed_);
    Stack changed = own;
    changed[place] = at::full_like(tensor, other);
    judgeFarOff(call_, changed, fmt::format("{}{} = {}", withAnotherNumber, nameOf(place), other));
  }

  /// Whether the reference takes this in the place of an argument.
  bool askFor(const Stack& own, std::size_t place, const c10::IValue& other) {
    if (call_.items.empty() || place >= call_.items[0].items.size()) return false;
    Literal call = call_;
    Stack changed = own;
    changed[place] = other;
    Literal& literal = call.items[0].items[place];
    literal = {};
    if (other.isBool()) {
      literal.kind = Literal::Kind::boolean;
      literal.boolean = other.toBool();
    } else if (other.isInt()) {
      literal.kind = Literal::Kind::integer;
      literal.integer = other.toInt();
    } else {
      literal.kind = Literal::Kind::real;
      literal.real = other.toDouble();
    }
    const std::string words = other.isBool()  ? fmt::format("{} = {}", nameOf(place), other.toBool())
                              : other.isInt() ? fmt::format("{} = {}", nameOf(place), other.toInt())
                                              : fmt::format("{} = {}", nameOf(place), other.toDouble());
    return judgeFarOff(call, changed, std::string(withAnotherNumber) + words);
  }

  /// Whether both sides have given an answer. Many an honest kernel is made for one number of an argument
  /// and says so.
  bool judgeFarOff(const Literal& call, const Stack& changed, const std::string& words) {
    const bool isForNumber = words.starts_with(withAnotherNumber);
    isForNumber ? answers_.askedForNumber(words) : answers_.asked(words);
    const auto both = answers_.to(call, changed);
    if (!both) {
      if (!isForNumber) (void)answers_.isUnanswered(both.error(), changed);
      return false;
    }
    const bool isWrong = allFinite(both->expected)
                             ? answers_.isWrong(*both, OtherValues::mixed)
                             : !isForNumber && hidesOthers(both->actual, both->expected);
    if (isWrong) asking_.isWrong(words);
    return true;
  }

  [[nodiscard]] std::string nameOf(std::size_t argument) const {
    return kernel_.op.schema().arguments()[argument].name();
  }

  /// Whether all of each input is looked at. Where a few of its numbers, or most of them, decide the answer,
  /// a kernel that leaves out the others is within the tolerance.
  void askSingle(const Stack& own, const BothAnswers& same) {
    const double began = seconds(), longest = apart_.isStrict ? longestForSingleStrictly : longestForSingle,
                 before = answers_.forgiven();
    int stillAsked = apart_.isBrief ? 1 : leastOfSingle;
    const std::vector<SingleNumbers> choices = choicesOf(own, mixSeeds(seed_, 4));
    for (const std::span<const int> reaches :
         {std::span<const int>(muchLarger), std::span<const int>(larger)})
      for (const SingleNumbers& numbers : choices) {
        const bool isOver = seconds() - began > longest + answers_.forgiven() - before;
        const bool isSoon = stillAsked-- > 0;
        if (!goOn(isSoon) || (isOver && !isSoon)) return;
        const std::string words = fmt::format("with other values: single numbers of '{}' far larger",
                                              kernel_.op.schema().arguments()[numbers.argument].name());
        answers_.asked(words);
        if (isUnnoticed(own, same, numbers, reaches)) return asking_.isWrong(words);
      }
  }

  [[nodiscard]] double seconds() const {
    if (kernel_.device == "cpu" && !apart_.isStrict) return workedSeconds();
    return steadySeconds();
  }

  bool isUnnoticed(const Stack& own, const BothAnswers& same, const SingleNumbers& numbers,
                   std::span<const int> reaches) {
    for (const int octaves : reaches) {
      const std::optional<Stack> changed = withLarger(own, numbers, octaves);
      const auto both = changed ? std::optional(answers(*changed)) : std::nullopt;
      if (both && !*both && answers_.isUnanswered(both->error(), *changed)) return false;
      if (!both || !*both || !allFinite((*both)->expected)) continue;
      const BothAnswers& now = **both;
      const bool isShort = tensorOf(own, numbers).element_size() < std::int64_t{sizeof(float)};
      return takesNoNotice(
          {same.actual, now.actual}, {same.expected, now.expected},
          {.withOtherBits = [&](std::uint64_t turn) { return nearTo(now, turn); },
           .kernelWithOtherBits = [&](std::uint64_t turn) { return kernelNearTo(now, turn); },
           .inFloat64 = [&]() -> std::optional<Stack> {
             Stack wide = answers_.inFloat64(now.pristine);
             return wide.empty() ? std::nullopt : std::optional(std::move(wide));
           },
           .losesNothing = octaves <= larger.front() && !isShort});
    }
    return false;
  }

  /// What the reference makes of the same inputs when they differ in the last half of their bits.
  std::optional<Stack> nearTo(const BothAnswers& both, std::uint64_t turn) {
    auto near = answers_.reference(withOtherLastHalves(both.pristine, mixSeeds(seed_, 5 + turn)));
    return near ? std::optional(*std::move(near)) : std::nullopt;
  }

  /// The same of the kernel.
  std::optional<Stack> kernelNearTo(const BothAnswers& both, std::uint64_t turn) {
    auto near = answers(withOtherLastHalves(both.pristine, mixSeeds(seed_, mixSeeds(8, turn))));
    return near ? std::optional(std::move(near->actual)) : std::nullopt;
  }

  const KernelContext& kernel_;
  const Literal& call_;
  std::uint64_t seed_;
  bool parametersAlone_;
  Asking& asking_;
  const AskedApart& apart_;
  ProblemAnswers answers_;
};

}  // namespace

void askProblem(const KernelContext& kernel, const AskedCase& asked, Asking& asking,
                const AskedApart& apart) {
  ProblemQuestions(kernel, asked, asking, apart).ask();
}

}  // namespace wb
