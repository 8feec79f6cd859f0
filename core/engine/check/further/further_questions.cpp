// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/further_questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/worked_seconds.h"
#include "core/engine/cases/contents.h"
#include "core/engine/check/case_attempt.h"
#include "core/engine/check/case_run.h"
#include "core/engine/check/check_stage.h"
#include "core/engine/check/further/asked_case.h"
#include "core/engine/check/further/asking.h"
#include "core/engine/check/further/operator_questions.h"
#include "core/engine/check/further/other_numbers.h"
#include "core/engine/check/further/own_values.h"
#include "core/engine/check/further/problems/problem_questions.h"
#include "core/engine/check/random_operators.h"
#include "core/engine/reference/seed.h"
#include "core/engine/sides/bands/guard_bands.h"
#include "core/engine/sides/process/forked.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

/// A check that took a larger share of its limit is not made a second time.
constexpr double worthAsking = 0.25;
/// A problem is asked until this thread has worked on it for so long; a large one, whose every question
/// takes longer, for a few times that.
constexpr double askingProblemSeconds = 1, mostTimesForLarge = 4;
constexpr std::int64_t largeProblemBytes = std::int64_t{16} << 20;
/// So long is waited for the next word of a fork, beside a few times what the check took; longer where much
/// memory is drawn and compared by the one thread that a fork has.
constexpr double leastPatience = 1, patientTimes = 4, mostTimesPatient = 8;
constexpr std::int64_t patientBytes = std::int64_t{16} << 20;

/// How many times as long something takes for these arguments as for so many bytes, within limits.
double timesAsLong(const Literal& call, std::int64_t bytes, double most) {
  return std::clamp(static_cast<double>(tensorBytes(call)) / static_cast<double>(bytes), 1.0, most);
}

std::string wrongWithOthers(const FurtherQuestions& further, const std::string& message) {
  return fmt::format("right with the contents that everybody knows, wrong with others (--seed {}): {}",
                     further.seed, message);
}

/// The same case with contents that are drawn from the run's own seed. Gives the seconds that it took.
double askWithOwnContents(const KernelContext& kernel, const Case& definition, const Literal& call,
                          CaseCheck& check) {
  const FurtherQuestions& further = *kernel.further;
  const std::uint64_t seed = mixSeeds(mixSeeds(further.seed, definition.seed), 0);
  const auto start = std::chrono::steady_clock::now();
  const CaseCheck other = attemptCase(kernel, definition, call, seed, /*repeat=*/false).check;
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (other.verdict == Verdict::pass || other.verdict == Verdict::invalid ||
      other.verdict == Verdict::refused)
    return took;
  const double seconds = check.seconds;
  std::vector<RanPart> ran = std::move(check.ran);
  check = other;
  check.seconds = seconds;
  check.ran = std::move(ran);
  check.message = wrongWithOthers(further, other.message);
  return took;
}

/// The same case with stored values that are changed. The change may make of them what the operator promises
/// nothing for, so a mistake is a remark and no verdict.
void askWithChangedContents(const KernelContext& kernel, const Case& definition, const Literal& call) {
  const std::uint64_t seed = mixSeeds(kernel.further->seed, definition.seed);
  const Result<Contents> contents = Contents::make(kernel, definition, call, seed);
  if (!contents || !contents->change()) return;
  const DrawInputs changed = [&](std::uint64_t each) -> Result<Stack> {
    return contents->copy(mixSeeds(seed, each)).arguments;
  };
  const CaseCheck other = attemptCase(kernel, definition, call, seed, /*repeat=*/false, changed).check;
  if (other.verdict == Verdict::mismatch)
    kernel.further->remark = {"wrong with other values: those given, changed"};
}

/// What draws from torch's generator is compared where it was checked, since both sides begin with the same
/// state there. A kernel may take no notice of a probability or a deviation that the case gives. Half of
/// each is asked for: twice as much may be no probability, or one with which nothing is drawn.
void askRandomNumbers(const KernelContext& kernel, const Case& definition, const Literal& call) {
  constexpr double half = 0.5;
  const double began = workedSeconds();
  std::uint64_t seed = mixSeeds(mixSeeds(kernel.further->seed, definition.seed), 9);
  for (const auto& [words, other, isWord] : withOtherNumbers(call, kernel.op.schema(), half)) {
    if (workedSeconds() - began > askingProblemSeconds) return;
    const CaseCheck check = attemptCase(kernel, definition, other, ++seed, /*repeat=*/false).check;
    // Where both give other values it may be void, since another generator would, too. With the numbers of
    // the case the kernel gave the same ones.
    if (!check.errors || check.errors->mismatches == 0) continue;
    kernel.further->remark = {fmt::format("wrong with another {}: {}", isWord ? "word" : "number", words)};
    return;
  }
}

/// A problem whose reference draws is asked with the same numbers drawn and with other signs of its own
/// values, and nobody knows more of it.
void askOneThatDraws(const KernelContext& kernel, const Case& definition, const Literal& call) {
  const std::uint64_t seed = mixSeeds(mixSeeds(kernel.further->seed, definition.seed), 11);
  bool isChanged = false;
  const DrawInputs otherSigns = [&](std::uint64_t each) -> Result<Stack> {
    WB_TRY(Stack own, kernel.ownInputs(each));
    std::optional<Stack> changed = changedOwn(own, OwnValues::negative, 0, mixSeeds(each, 1));
    isChanged = changed.has_value();
    return changed ? *std::move(changed) : std::move(own);
  };
  const CaseCheck check = attemptCase(kernel, definition, call, seed, /*repeat=*/false, otherSigns).check;
  Remark& remark = kernel.further->remark;
  if (isChanged && check.errors && check.errors->mismatches > 0)
    remark.words = "wrong with other values: " + wordsOf(OwnValues::negative, 0);
  remark.note =
      "Model draws random numbers, so that little is asked about what the kernel makes of other values.";
}

void askOwn(const KernelContext& kernel, const AskedCase& asked, const SayInFork& say) {
  Asking asking(say);
  const double began = workedSeconds();
  double longest = askingProblemSeconds * timesAsLong(asked.call, largeProblemBytes, mostTimesForLarge);
  askProblem(apartFrom(kernel), asked, asking,
             {.isAlive = [] { return true; },
              .hasTime = [&] { return workedSeconds() - began < longest; },
              .forgive = [&](double seconds) { longest += seconds; }});
}

/// A kernel can find out that it runs in a fork, and be right about everything there, so it is asked again
/// where the case was checked. Whoever has answered without harm in the fork does none here, and memory lies
/// between bands. A problem's models may keep something from each call, so that theirs are not made here.
Remark wrongHere(const KernelContext& kernel, const AskedCase& asked, const ForkedAnswer& inFork) {
  const bool wasLate = inFork.ending == ForkedAnswer::Ending::late;
  std::set<std::string> again = worthAskingAgain(inFork.said, mixSeeds(asked.seed, 8), wasLate);
  if (again.empty()) return {};
  GuardBands bands(mixSeeds(kernel.secret, asked.seed));
  std::string said;
  {
    std::optional<SideStates::Candidate> apart;
    if (kernel.states != nullptr) apart.emplace(*kernel.states);
    const GuardBands::InForce guarded(bands);
    try {
      askOperatorAgain(kernel, asked, std::move(again), [&](const std::string& words) { said += words; });
    } catch (const std::exception&) {
      return {};  // of torch, which was asked for what it cannot do
    }
  }
  Remark wrong = remarkOn(said, "");
  if (!wrong.words.empty()) wrong = {wrong.words + ", though right in a copy of its process", false};
  return wrong;
}

void askElsewhere(const KernelContext& kernel, const AskedCase& asked, const CaseCheck& check) {
  const Case& definition = asked.definition;
  FurtherQuestions& further = *kernel.further;
  const auto start = std::chrono::steady_clock::now();
  ForkPatience patience;
  patience.first = std::min(further.forkSeconds, leastPatience + patientTimes * check.seconds) *
                   timesAsLong(asked.call, patientBytes, mostTimesPatient);
  patience.next = patience.first;
  // Within the fork the candidate's state stays in force: to change it takes the threads that are gone.
  std::optional<SideStates::Candidate> apart;
  if (kernel.states != nullptr) apart.emplace(*kernel.states);
  const ForkedAnswer answer = inFork(
      [&](const SayInFork& say) {
        kernel.candidate.isForked();
        if (definition.values == "own")
          askOwn(kernel, asked, say);
        else
          askOperator(kernel, asked, {}, say);
      },
      patience);
  apart.reset();
  using Ending = ForkedAnswer::Ending;
  Remark remark = remarkOn(answer.said, answer.ending == Ending::signal ? "crashes"
                                        : answer.ending == Ending::exit ? "ends its process"
                                                                        : "");
  // Whoever threw may have done harm without a word. Whoever was late, be it on purpose, has answered what
  // came before.
  const bool isRight = remark.words.empty() || remark.isOnStridesAlone;
  const bool hasAnswered = answer.ending == Ending::done || answer.ending == Ending::late;
  if (isRight && hasAnswered && definition.values != "own")
    if (Remark wrong = wrongHere(kernel, asked, answer); !wrong.words.empty()) remark = std::move(wrong);
  further.remark = std::move(remark);
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  // A kernel that cannot answer there, since its threads are missing, is not asked there again. One that
  // answers what it was asked before and nothing new is asked where it ran, too.
  further.isUnanswered = further.isUnanswered || answer.said.empty() || answer.ending == Ending::late;
  further.forkSeconds = answer.said.empty() ? 0 : std::max(0.0, further.forkSeconds - took);
}

std::optional<AskedCase> askedApart(const KernelContext& kernel, const Case& definition, const Literal& call,
                                    const CaseCheck& check) {
  if (kernel.further == nullptr || isRandom(kernel) || isUninitialised(kernel.op)) return std::nullopt;
  return askedCase(kernel, definition, call, check.verdict, check.seconds);
}

/// What a kernel that is asked apart is wrong about.
Remark remarkApart(const AskedApart& apart, const std::function<void(const SayInFork& say)>& ask) {
  std::string said;
  try {
    ask([&](const std::string& words) { said += words; });
  } catch (const std::exception&) {
    // Of torch, which was asked for what it cannot do, be it on a GPU that works no more or has no room.
  }
  const std::string ending = apart.isAlive() ? std::string() : apart.ending();
  // It was right there when it was checked, and is gone before anything else was asked.
  if (apart.isStrict && said.empty() && !ending.empty())
    return {ending + " when it is asked once more, where it was right when it was checked"};
  return remarkOn(said, ending);
}

}  // namespace

void askFurther(const KernelContext& kernel, const Case& definition, const Literal& call, CaseCheck& check) {
  if (kernel.further == nullptr) return;
  kernel.further->remark = {};
  kernel.further->checkSeconds = check.seconds;
  kernel.further->wasTooSlow = false;
  if (check.verdict != Verdict::pass || isUninitialised(kernel.op)) return;
  const bool isSlow = check.seconds > worthAsking * stepSeconds(kernel.job, Stage::check);
  if (isRandom(kernel)) {
    const bool isAsked = !isSlow && kernel.further->forked.contains(&definition);
    if (isAsked && kernel.device == "cpu" && isRandom(kernel.op)) askRandomNumbers(kernel, definition, call);
    if (isAsked && definition.values == "own" && kernel.ownInputsVary)
      askOneThatDraws(kernel, definition, call);
    return;
  }
  kernel.further->wasTooSlow = isSlow;
  if (isSlow) return;
  if (definition.values.starts_with("stored:")) return askWithChangedContents(kernel, definition, call);
  // Contents drawn anew would be the very ones of the check where they are not drawn.
  const bool areDrawn = definition.values != "own" || kernel.ownInputsVary;
  // Whoever is slow in its first calls, for whatever reason, is asked all the same.
  const double took = areDrawn ? askWithOwnContents(kernel, definition, call, check) : check.seconds;
  if (kernel.device != "cpu" || kernel.further->forkSeconds <= 0) return;
  const double seconds = std::min(took, check.seconds);
  if (const auto asked = askedCase(kernel, definition, call, check.verdict, seconds))
    askElsewhere(kernel, *asked, check);
}

Remark askApart(const KernelContext& kernel, const Case& definition, const AskedApart& apart,
                const CaseCheck& check) {
  const Result<Literal> call = parseLiteral(definition.args);
  if (!call || !definition.values.empty()) return {};
  const std::optional<AskedCase> asked = askedApart(kernel, definition, *call, check);
  if (!asked) return {};
  return remarkApart(apart, [&](const SayInFork& say) { askOperator(kernel, *asked, apart, say); });
}

Remark askProblemApart(const KernelContext& kernel, const Case& definition, const AskedApart& apart,
                       const CaseCheck& check) {
  const Result<Literal> call = parseLiteral(definition.args);
  if (!call || definition.values != "own") return {};
  const std::optional<AskedCase> asked = askedApart(kernel, definition, *call, check);
  if (!asked) return {};
  return remarkApart(apart, [&](const SayInFork& say) {
    Asking asking(say);
    askProblem(apartFrom(kernel), *asked, asking, apart);
  });
}

}  // namespace wb
