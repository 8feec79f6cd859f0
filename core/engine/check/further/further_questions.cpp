// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/further_questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/base/worked_seconds.h"
#include "core/engine/cases/contents.h"
#include "core/engine/cases/inputs.h"
#include "core/engine/check/case_attempt.h"
#include "core/engine/check/case_run.h"
#include "core/engine/check/check_stage.h"
#include "core/engine/check/further/other_numbers.h"
#include "core/engine/check/further/other_values.h"
#include "core/engine/reference/seed.h"
#include "core/engine/sides/process/forked.h"
#include "core/model/operators/operator_name.h"
#include "core/suites/literals/literal_parser.h"
#include "core/suites/perturb.h"
#include "core/suites/perturbed_suites.h"
#include "core/suites/trace_file.h"

namespace wb {
namespace {

/// A check that took a larger share of its limit is not made a second time.
constexpr double worthAsking = 0.25;
/// Larger cases are not asked in forks, for which memory would be copied; nor are slower ones.
constexpr std::int64_t mostForkBytes = std::int64_t{16} << 20;
constexpr double mostForkCheckSeconds = 1;
/// New questions are asked until this thread has worked for so long, half of it on other shapes. The time
/// that others took from it on a busy machine does not count, or what is asked would depend on them.
constexpr double askingSeconds = 0.6;
/// So long is waited for the next word of a fork, beside a few times what the check took.
constexpr double leastPatience = 1, patientTimes = 4;
/// The words by which a fork answers.
constexpr std::string_view canAnswer = "as before\n", wrongHere = "wrong ", askedNow = "asked ";

std::string remarkOn(const FurtherQuestions& further, const std::string& message) {
  return fmt::format("right with the contents that everybody knows, wrong with others (--seed {}): {}",
                     further.seed, message);
}

/// The same case with contents that are drawn from the run's own seed.
void askWithOwnContents(const KernelContext& kernel, const Case& definition, const Literal& call,
                        CaseCheck& check) {
  const FurtherQuestions& further = *kernel.further;
  const std::uint64_t seed = mixSeeds(mixSeeds(further.seed, definition.seed), 0);
  const CaseCheck other = attemptCase(kernel, definition, call, seed, /*repeat=*/false).check;
  if (other.verdict == Verdict::pass || other.verdict == Verdict::invalid ||
      other.verdict == Verdict::refused)
    return;
  const double seconds = check.seconds;
  std::vector<RanPart> ran = std::move(check.ran);
  check = other;
  check.seconds = seconds;
  check.ran = std::move(ran);
  check.message = remarkOn(further, other.message);
}

/// The same case with stored values that are changed. The change may make of them what the operator promises
/// nothing for, so a mistake is a remark and no verdict.
void askWithChangedContents(const KernelContext& kernel, const Case& definition, const Literal& call,
                            CaseCheck& check) {
  const std::uint64_t seed = mixSeeds(kernel.further->seed, definition.seed);
  const Result<Contents> contents = Contents::make(kernel, definition, call, seed);
  if (!contents || !contents->change()) return;
  const DrawInputs changed = [&](std::uint64_t each) -> Result<Stack> {
    return contents->copy(mixSeeds(seed, each)).arguments;
  };
  const CaseCheck other = attemptCase(kernel, definition, call, seed, /*repeat=*/false, changed).check;
  if (other.verdict == Verdict::mismatch) check.elsewhere = "wrong with other values: those given, changed";
}

/// What both sides make of the same arguments; nothing where one of them refuses.
struct BothAnswers {
  Stack pristine, actual, expected;
};
Result<BothAnswers> answersTo(const KernelContext& kernel, const Literal& call, Stack arguments,
                              const std::function<Result<void>()>& wait) {
  BothAnswers both;
  both.pristine = std::move(arguments);
  const auto withMutable = [&](Stack results, const Stack& given) {
    for (const std::size_t position : kernel.mutableArguments) results.push_back(given[position]);
    return results;
  };
  const Stack forReference = cloneArguments(both.pristine), forCandidate = cloneArguments(both.pristine);
  const auto reference = prepareReference(kernel.op, forReference);
  WB_TRY(Stack expected, runAndWait(kernel, *reference));
  const OutputPlan plan = planFrom(expected);
  both.expected = withMutable(std::move(expected), forReference);
  WB_TRY(const auto candidate, kernel.candidate.prepare({call, forCandidate}, plan));
  candidate->poisonOutputs();
  WB_DO(candidate->run());
  WB_DO(wait ? wait() : waitFor(kernel));
  WB_TRY(Stack actual, candidate->outputs());
  both.actual = withMutable(cloneArguments(actual), forCandidate);
  return both;
}

/// The questions that are asked in a fork, or apart.
class Elsewhere {
 public:
  Elsewhere(const KernelContext& kernel, const Case& definition, const Literal& call, std::uint64_t seed,
            AskedApart apart = {})
      : kernel_(kernel), definition_(definition), call_(call), seed_(seed), apart_(std::move(apart)) {
    // No runner is to hear of this, and in a fork the candidate's state is in force already.
    kernel_.states = nullptr;
    kernel_.turns = nullptr;
    kernel_.further = nullptr;
    kernel_.tellingCases = nullptr;
  }

  void answer(const SayInFork& say) {
    const auto same = answersTo(call_, drawnTensor, seed_);
    if (!same || !isRight(*same)) return;
    say(std::string(canAnswer));
    askShapes(say);
    if (apart_.asksStrides) askStrides(say);
    askNumbers(say);
    if (takesOtherValues()) askValues(say);
  }

 private:
  Result<BothAnswers> answersTo(const Literal& call, const TensorSource& source, std::uint64_t seed) {
    WB_TRY(Stack arguments, makeArguments(kernel_.op.schema(), call, seed, kernel_.device, source));
    return wb::answersTo(kernel_, call, std::move(arguments), apart_.wait);
  }

  bool isRight(const BothAnswers& both) {
    return judge(kernel_, both.pristine, both.actual, both.expected).verdict == Verdict::pass;
  }

  [[nodiscard]] bool takesOtherValues() const {
    const Result<EditableCall> call = editCall(definition_.args);
    return call && takesAnyValues(*call);
  }

  [[nodiscard]] bool goOn(double seconds) const {
    return (!apart_.isAlive || apart_.isAlive()) && workedSeconds() - began_ < seconds;
  }

  void askValues(const SayInFork& say) {
    for (const OtherValues kind :
         {OtherValues::large, OtherValues::small, OtherValues::mixed, OtherValues::infinite})
      for (const int octaves : octavesOf(kind)) {
        if (!goOn(askingSeconds)) return;
        const std::string words = "with other values: " + wordsOf(kind, octaves);
        say(fmt::format("{}{}\n", askedNow, words));
        const auto both = answersTo(call_, otherValues(kind, octaves), mixSeeds(seed_, 2));
        if (!both) continue;
        if (kind != OtherValues::infinite && !allFinite(both->expected))
          continue;  // the next ones are milder
        if (isFarOff(both->actual, both->expected, kind)) return say(fmt::format("{}{}\n", wrongHere, words));
        break;
      }
  }

  static std::vector<int> octavesOf(OtherValues kind) {
    if (kind == OtherValues::large) return {12, 6, 3, 1};
    if (kind == OtherValues::small) return {3};
    if (kind == OtherValues::infinite) return {0};
    return {6, 3, 1};
  }

  void askShapes(const SayInFork& say) {
    const Result<EditableCall> call = editCall(definition_.args);
    if (!call) return;
    for (const EditableCall& each : neighbours(*call, mixSeeds(seed_, 3))) {
      const Result<Case> other = makeCase(definition_.op, 1, text(each));
      const Result<Literal> literal = other ? parseLiteral(other->args) : other.error();
      if (!literal) continue;
      if (!goOn(askingSeconds / 2)) return;
      const std::string words = "at other shapes: " + other->shapes;
      say(fmt::format("{}{}\n", askedNow, words));
      const auto both = answersTo(*literal, drawnTensor, mixSeeds(seed_, 4));
      if (both && !isRight(*both)) return say(fmt::format("{}{}\n", wrongHere, words));
    }
  }

  /// A kernel may take memory as it lies, whatever the strides are.
  void askStrides(const SayInFork& say) {
    const Result<EditableCall> call = editCall(definition_.args);
    if (!call) return;
    OperatorTraits traits;
    traits.inPlace = !kernel_.mutableArguments.empty();
    for (const Variant& each : layoutVariants(*call, traits)) {
      const Result<Literal> literal = parseLiteral(text(each.call));
      if (!literal || !goOn(askingSeconds)) continue;
      const std::string words = "with other strides: " + each.kind;
      say(fmt::format("{}{}\n", askedNow, words));
      const auto both = answersTo(*literal, drawnTensor, mixSeeds(seed_, 6));
      if (both && !isRight(*both)) return say(fmt::format("{}{}\n", wrongHere, words));
    }
  }

  /// A kernel may take no notice of an argument that no case of the suite gives.
  void askNumbers(const SayInFork& say) {
    for (const auto& [words, other] : withOtherNumbers(call_, kernel_.op.schema())) {
      if (!goOn(askingSeconds)) return;
      const std::string asked = "with another number: " + words;
      say(fmt::format("{}{}\n", askedNow, asked));
      const auto both = answersTo(other, drawnTensor, mixSeeds(seed_, 5));
      if (both && !isRight(*both)) return say(fmt::format("{}{}\n", wrongHere, asked));
    }
  }

  KernelContext kernel_;
  const Case& definition_;
  const Literal& call_;
  std::uint64_t seed_;
  AskedApart apart_;
  double began_ = workedSeconds();
};

/// What the words come to. `ending` is how the last question ended, "crashes", where it was not answered.
std::string remarkOn(const std::string& said, const std::string& ending) {
  if (!said.starts_with(canAnswer)) return {};
  std::vector<std::string> wrong;
  std::string_view last;
  for (const std::string_view line : splitLines(said)) {
    if (line.starts_with(wrongHere)) wrong.push_back(std::string(line));
    if (line.starts_with(askedNow)) last = line.substr(askedNow.size());
  }
  if (!ending.empty() && !last.empty()) wrong.push_back(fmt::format("{} {}", ending, last));
  return joined(wrong, "; ");
}

std::uint64_t elsewhereSeed(const FurtherQuestions& further, const Case& definition) {
  return mixSeeds(further.seed, mixSeeds(definition.seed, 1));
}

/// Whether a case is one of those that are asked elsewhere.
bool isAskedElsewhere(const KernelContext& kernel, const Case& definition, const Literal& call,
                      const CaseCheck& check) {
  return check.verdict == Verdict::pass && definition.values.empty() &&
         kernel.further->forked.contains(&definition) && check.seconds <= mostForkCheckSeconds &&
         tensorBytes(call) <= mostForkBytes && isPerturbable(definition.op);
}

void askElsewhere(const KernelContext& kernel, const Case& definition, const Literal& call,
                  CaseCheck& check) {
  FurtherQuestions& further = *kernel.further;
  const auto start = std::chrono::steady_clock::now();
  ForkPatience patience;
  patience.first = std::min(further.forkSeconds, leastPatience + patientTimes * check.seconds);
  patience.next = std::min(further.forkSeconds, leastPatience + patientTimes * check.seconds);
  // Within the fork the candidate's state stays in force: to change it takes the threads that are gone.
  std::optional<SideStates::Candidate> apart;
  if (kernel.states != nullptr) apart.emplace(*kernel.states);
  const ForkedAnswer answer = inFork(
      [&](const SayInFork& say) {
        kernel.candidate.isForked();
        Elsewhere(kernel, definition, call, elsewhereSeed(further, definition)).answer(say);
      },
      patience);
  apart.reset();
  check.elsewhere = remarkOn(answer.said, answer.signal != 0 ? "crashes" : "");
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  // A kernel that cannot answer there, since its threads are missing, is not asked again.
  further.forkSeconds = answer.said.empty() ? 0 : std::max(0.0, further.forkSeconds - seconds);
}

}  // namespace

void askFurther(const KernelContext& kernel, const Case& definition, const Literal& call, CaseCheck& check) {
  if (kernel.further == nullptr || check.verdict != Verdict::pass) return;
  if (isRandom(kernel.op) || isUninitialised(kernel.op)) return;
  if (check.seconds > worthAsking * stepSeconds(kernel.job, Stage::check)) return;
  if (definition.values.starts_with("stored:"))
    return askWithChangedContents(kernel, definition, call, check);
  // They would be the very contents of the check.
  if (definition.values == "own" && !kernel.ownInputsVary) return;
  askWithOwnContents(kernel, definition, call, check);
  if (kernel.device == "cpu" && kernel.further->forkSeconds > 0 &&
      isAskedElsewhere(kernel, definition, call, check))
    askElsewhere(kernel, definition, call, check);
}

void askApart(const KernelContext& kernel, const Case& definition, const AskedApart& apart,
              CaseCheck& check) {
  if (kernel.further == nullptr || isRandom(kernel.op) || isUninitialised(kernel.op)) return;
  const Result<Literal> call = parseLiteral(definition.args);
  if (!call || !isAskedElsewhere(kernel, definition, *call, check)) return;
  std::string said;
  try {
    const std::uint64_t seed = elsewhereSeed(*kernel.further, definition);
    Elsewhere(kernel, definition, *call, seed, apart).answer([&](const std::string& words) {
      said += words;
    });
  } catch (const std::exception&) {
    // Of torch, which was asked for what it cannot do, be it on a GPU that works no more.
    if (apart.isAlive()) return;
  }
  check.elsewhere = remarkOn(said, apart.isAlive() ? std::string() : apart.ending());
}

}  // namespace wb
