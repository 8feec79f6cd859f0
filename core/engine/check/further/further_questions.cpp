// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/further_questions.h"

#include <ATen/core/enum_tag.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/base/worked_seconds.h"
#include "core/engine/cases/contents.h"
#include "core/engine/cases/device_room.h"
#include "core/engine/cases/inputs.h"
#include "core/engine/check/case_attempt.h"
#include "core/engine/check/case_run.h"
#include "core/engine/check/check_stage.h"
#include "core/engine/check/further/asking.h"
#include "core/engine/check/further/other_numbers.h"
#include "core/engine/check/further/other_values.h"
#include "core/engine/check/further/own_values.h"
#include "core/engine/check/further/problem_questions.h"
#include "core/engine/reference/seed.h"
#include "core/engine/sides/bands/guard_bands.h"
#include "core/engine/sides/process/forked.h"
#include "core/model/operators/dtype.h"
#include "core/model/operators/operator_name.h"
#include "core/suites/literals/literal_parser.h"
#include "core/suites/perturb.h"
#include "core/suites/perturbed_suites.h"
#include "core/suites/trace_file.h"

namespace wb {
namespace {

/// A check that took a larger share of its limit is not made a second time.
constexpr double worthAsking = 0.25;
/// Larger cases are asked with smaller sizes, since for forks memory would be copied, and values are drawn on
/// the host.
constexpr std::int64_t mostForkBytes = std::int64_t{16} << 20;
/// A problem's own are.
constexpr std::int64_t mostOwnBytesOnHost = std::int64_t{64} << 20;
/// A problem's own inputs are drawn and changed on its GPU, which takes so many times their memory.
constexpr std::int64_t copiesOfOwn = 20;
/// New questions of one kind are asked until this thread has worked on them for so long. The time that others
/// took from it on a busy machine does not count, or what is asked would depend on them. A kernel that needs
/// long for each new shape has as much left for other values as any other.
constexpr double askingSeconds = 0.3;
/// The same by the clock where this thread mostly waits for a GPU or for another process.
constexpr double askingThereSeconds = 0.6;
/// The same for all that a problem is asked.
constexpr double askingProblemSeconds = 0.6;
/// So long is waited for the next word of a fork, beside a few times what the check took.
constexpr double leastPatience = 1, patientTimes = 4;

constexpr std::string_view atOtherShapes = "at other shapes: ";

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

/// A case as it is asked elsewhere, where there is room for it.
struct AskedCase {
  Case definition;
  Literal call;
  /// It has other sizes than the one that was checked.
  bool isSmaller = false;
};

/// The questions that are asked in a fork, or apart.
class Elsewhere {
 public:
  Elsewhere(const KernelContext& kernel, AskedCase asked, std::uint64_t seed, AskedApart apart = {})
      : kernel_(apartFrom(kernel)),
        definition_(std::move(asked.definition)),
        call_(std::move(asked.call)),
        isSmaller_(asked.isSmaller),
        seed_(seed),
        apart_(std::move(apart)) {}

  void answer(const SayInFork& say) {
    if (!isSmaller_) {
      const auto same = answersTo(call_, drawnTensor, seed_);
      if (!same || !isRight(kernel_, *same)) return;
    }
    Asking asking(say);
    asking.canAnswer();
    askAll(asking);
  }

  /// Asks those questions again that were asked in these words, of a kernel that was right there.
  void answerAgain(std::set<std::string> words, const SayInFork& say) {
    only_ = std::move(words);
    Asking asking(say);
    asking.canAnswer();
    askAll(asking);
  }

 private:
  void askAll(Asking& asking) {
    if (isSmaller_ && !askSmaller(asking)) return;
    askShapes(asking);
    begin();
    // Kernels that are compiled when they are called are so for other numbers, but not for other values.
    if (takesOtherValues()) askValues(asking);
    begin();
    if (apart_.isStrict) askStrides(asking);
    begin();
    askNumbers(asking);
  }

  /// The time for a kind of question begins.
  void begin() {
    began_ = workedSeconds();
    start_ = std::chrono::steady_clock::now();
  }

  Result<BothAnswers> answersTo(const Literal& call, const TensorSource& source, std::uint64_t seed) const {
    const auto drawn = [&](std::uint64_t from) {
      return makeArguments(kernel_.op.schema(), call, from, kernel_.device, source);
    };
    WB_TRY(Stack others, drawn(mixSeeds(seed, 1)));
    WB_TRY(const OutputPlan plan, planOutputs(kernel_.op, others));
    WB_TRY(Stack arguments, drawn(seed));
    return wb::answersTo(kernel_, call, std::move(arguments), plan, apart_.wait);
  }

  [[nodiscard]] bool hasWholeNumbers() const {
    const Result<EditableCall> call = editCall(definition_.args);
    return call && std::any_of(call->tensors.begin(), call->tensors.end(), [](const TensorLiteral& tensor) {
             const DType* const type = findDType(tensor.dtype);
             return type != nullptr && type->torchName.find("int") != std::string_view::npos;
           });
  }

  [[nodiscard]] bool takesOtherValues() const {
    const Result<EditableCall> call = editCall(definition_.args);
    return call && takesAnyValues(*call);
  }

  [[nodiscard]] bool goOn() {
    if (apart_.letOthers) {
      const auto before = std::chrono::steady_clock::now();
      apart_.letOthers();
      start_ += std::chrono::steady_clock::now() - before;
    }
    if (apart_.isAlive && !apart_.isAlive()) return false;
    if (kernel_.device == "cpu" && !apart_.isStrict) return workedSeconds() - began_ < askingSeconds;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() <
           askingThereSeconds;
  }

  [[nodiscard]] bool isAsked(const std::string& words) const {
    return only_.empty() || only_.contains(words);
  }

  /// Each question draws contents of its own: tensors of one seed begin alike, so that a kernel which is
  /// right by luck with a few elements would have that luck with each question. Asked again, a question draws
  /// the same.
  [[nodiscard]] std::uint64_t contentsFor(const std::string& words) const {
    return mixSeeds(mixSeeds(seed_, 2), std::hash<std::string>()(words));
  }

  void askValues(Asking& asking) {
    const bool exactly = promisesAmongEquals(definition_.op);
    for (const auto& [kind, reaches] : otherValuesFor(definition_.op, kernel_.op.hasTag(at::Tag::pointwise)))
      for (const int octaves : reaches) {
        if (kind == OtherValues::wide && !hasWholeNumbers()) continue;
        if (!goOn()) return;
        const std::string words = "with other values: " + wordsOf(kind, octaves);
        if (!isAsked(words)) continue;
        asking.asked(words);
        const auto both = answersTo(call_, otherValues(kind, octaves), contentsFor(words));
        if (!both) continue;
        if (kind != OtherValues::infinite && !allFinite(both->expected))
          continue;  // the next ones are milder
        if (isFarOff(both->actual, both->expected, kind, exactly && kind == OtherValues::halves) &&
            !isRounding(*both, kind))
          return asking.isWrong(words);
        break;
      }
  }

  /// Whether the reference itself makes something else of values that differ in their last bits.
  bool isRounding(const BothAnswers& both, OtherValues kind) {
    if (kind != OtherValues::small && kind != OtherValues::huge) return false;
    const auto near = referenceAnswer(kernel_, withOtherLastBits(both.pristine, mixSeeds(seed_, 7)));
    return !near || isFarOff(*near, both.expected, kind);
  }

  /// A case that is too large is asked with smaller sizes, which are other ones; false where it is not right
  /// there, so that nothing else is to be asked.
  bool askSmaller(Asking& asking) {
    const std::string words = std::string(atOtherShapes) + definition_.shapes;
    if (!isAsked(words)) return true;
    asking.asked(words);
    const auto both = answersTo(call_, drawnTensor, contentsFor(words));
    const bool right = both && isRight(kernel_, *both);
    if (both && !right) asking.isWrong(words);
    return right;
  }

  void askShapes(Asking& asking) {
    const Result<EditableCall> call = editCall(definition_.args);
    if (!call) return;
    std::vector<EditableCall> calls = neighbours(*call, mixSeeds(seed_, 3));
    // Many an honest kernel looks at its first element, so that nobody is asked with none.
    if (auto scalar = kernel_.op.hasTag(at::Tag::pointwise) ? withoutDimensions(*call) : std::nullopt)
      calls.push_back(*std::move(scalar));
    for (const EditableCall& each : calls) {
      const Result<Case> other = makeCase(definition_.op, 1, text(each));
      const Result<Literal> literal = other ? parseLiteral(other->args) : other.error();
      if (!literal) continue;
      if (!goOn()) return;
      const std::string words = std::string(atOtherShapes) + other->shapes;
      if (!isAsked(words)) continue;
      asking.asked(words);
      const auto both = answersTo(*literal, drawnTensor, contentsFor(words));
      if (both && !isRight(kernel_, *both)) return asking.isWrong(words);
    }
  }

  /// A kernel may take memory as it lies, whatever the strides are.
  void askStrides(Asking& asking) {
    const Result<EditableCall> call = editCall(definition_.args);
    if (!call) return;
    OperatorTraits traits;
    traits.inPlace = !kernel_.mutableArguments.empty();
    for (const Variant& each : layoutVariants(*call, traits)) {
      const Result<Literal> literal = parseLiteral(text(each.call));
      if (!literal || !goOn()) continue;
      const std::string words = "with other strides: " + each.kind;
      if (!isAsked(words)) continue;
      asking.asked(words);
      const auto both = answersTo(*literal, drawnTensor, contentsFor(words));
      if (both && !isRight(kernel_, *both)) return asking.isWrong(words);
    }
  }

  /// A kernel may take no notice of an argument that no case of the suite gives.
  void askNumbers(Asking& asking) {
    for (const auto& [words, other] : withOtherNumbers(call_, kernel_.op.schema())) {
      if (!goOn()) return;
      const std::string asked = "with another number: " + words;
      if (!isAsked(asked)) continue;
      asking.asked(asked);
      const auto both = answersTo(other, drawnTensor, contentsFor(asked));
      if (both && !isRight(kernel_, *both)) return asking.isWrong(asked);
    }
  }

  KernelContext kernel_;
  Case definition_;
  Literal call_;
  bool isSmaller_;
  std::uint64_t seed_;
  AskedApart apart_;
  /// The words of the only questions that are asked; empty: all are.
  std::set<std::string> only_;
  double began_ = workedSeconds();
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::uint64_t elsewhereSeed(const FurtherQuestions& further, const Case& definition) {
  return mixSeeds(further.seed, mixSeeds(definition.seed, 1));
}

/// A problem's own inputs are as large as they are; of other cases there are smaller ones.
std::int64_t mostBytes(const KernelContext& kernel, const Case& definition) {
  if (definition.values != "own") return mostForkBytes;
  const std::int64_t own = std::max(mostForkBytes, freeMemory(kernel.device) / copiesOfOwn);
  return kernel.device == "cpu" ? std::min(own, mostOwnBytesOnHost) : own;
}

/// Nothing where the case is too large, and there is none with smaller sizes.
std::optional<AskedCase> asAsked(const KernelContext& kernel, const Case& definition, const Literal& call) {
  const std::int64_t most = mostBytes(kernel, definition);
  if (tensorBytes(call) <= most) return AskedCase{definition, call};
  if (definition.values == "own") return std::nullopt;
  const Result<EditableCall> whole = editCall(definition.args);
  const auto less = whole ? shrunk(*whole, most) : std::nullopt;
  if (!less) return std::nullopt;
  const Result<Case> made = makeCase(definition.op, 1, text(*less));
  const Result<Literal> literal = made ? parseLiteral(made->args) : made.error();
  if (!literal) return std::nullopt;
  AskedCase smaller{definition, *literal, true};
  smaller.definition.args = made->args;
  smaller.definition.shapes = made->shapes;
  return smaller;
}

/// The case as it is asked elsewhere, if it is one of those. `seconds`: what its check takes.
std::optional<AskedCase> askedElsewhere(const KernelContext& kernel, const Case& definition,
                                        const Literal& call, Verdict verdict, double seconds) {
  const FurtherQuestions& further = *kernel.further;
  if (verdict != Verdict::pass || !further.forked.contains(&definition) ||
      seconds > further.mostCheckSeconds || !isPerturbable(definition.op))
    return std::nullopt;
  return asAsked(kernel, definition, call);
}

void askOwn(const KernelContext& kernel, const Literal& call, std::uint64_t seed, const SayInFork& say) {
  Asking asking(say);
  const double began = workedSeconds();
  askProblem(apartFrom(kernel), call, seed, asking,
             {.isAlive = [began] { return workedSeconds() - began < askingProblemSeconds; }});
}

/// What is asked again of a kernel that was right about all of it in a fork: all shapes, since it is there
/// that most of those are wrong which have something to hide, and one question more.
std::set<std::string> worthAskingAgain(const std::string& said, std::uint64_t seed) {
  const std::vector<std::string> asked = questionsIn(said);
  std::set<std::string> again;
  for (const std::string& each : asked)
    if (each.starts_with(atOtherShapes)) again.insert(each);
  if (!asked.empty()) again.insert(asked[seed % asked.size()]);
  return again;
}

/// A kernel can find out that it runs in a fork, and be right about everything there, so it is asked again
/// where the case was checked. Whoever has answered without harm in the fork does none here, and memory lies
/// between bands. A problem's models may keep something from each call, so that theirs are not made here.
std::string wrongHere(const KernelContext& kernel, const AskedCase& asked, const std::string& saidInFork) {
  const std::uint64_t seed = elsewhereSeed(*kernel.further, asked.definition);
  std::set<std::string> again = worthAskingAgain(saidInFork, mixSeeds(seed, 8));
  if (again.empty()) return {};
  GuardBands bands(mixSeeds(kernel.secret, seed));
  std::string said;
  {
    std::optional<SideStates::Candidate> apart;
    if (kernel.states != nullptr) apart.emplace(*kernel.states);
    const GuardBands::InForce guarded(bands);
    try {
      Elsewhere(kernel, asked, seed).answerAgain(std::move(again), [&](const std::string& words) {
        said += words;
      });
    } catch (const std::exception&) {
      return {};  // of torch, which was asked for what it cannot do
    }
  }
  const std::string wrong = remarkOn(said, "");
  return wrong.empty() ? wrong : wrong + ", though right in a copy of its process";
}

void askElsewhere(const KernelContext& kernel, const AskedCase& asked, CaseCheck& check) {
  const Case& definition = asked.definition;
  FurtherQuestions& further = *kernel.further;
  const auto start = std::chrono::steady_clock::now();
  ForkPatience patience;
  patience.first = std::min(further.forkSeconds, leastPatience + patientTimes * check.seconds);
  patience.next = patience.first;
  // Within the fork the candidate's state stays in force: to change it takes the threads that are gone.
  std::optional<SideStates::Candidate> apart;
  if (kernel.states != nullptr) apart.emplace(*kernel.states);
  const ForkedAnswer answer = inFork(
      [&](const SayInFork& say) {
        kernel.candidate.isForked();
        const std::uint64_t seed = elsewhereSeed(further, definition);
        if (definition.values == "own")
          askOwn(kernel, asked.call, seed, say);
        else
          Elsewhere(kernel, asked, seed).answer(say);
      },
      patience);
  apart.reset();
  using Ending = ForkedAnswer::Ending;
  check.elsewhere = remarkOn(answer.said, answer.ending == Ending::signal ? "crashes"
                                          : answer.ending == Ending::exit ? "ends its process"
                                                                          : "");
  // Whoever threw or was late may have done harm without a word.
  if (check.elsewhere.empty() && answer.ending == Ending::done && definition.values != "own")
    check.elsewhere = wrongHere(kernel, asked, answer.said);
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  // A kernel that cannot answer there, since its threads are missing, is not asked there again. One that
  // answers what it was asked before and nothing new is asked where it ran, too.
  further.isUnanswered = further.isUnanswered || answer.said.empty() || answer.ending == Ending::late;
  further.forkSeconds = answer.said.empty() ? 0 : std::max(0.0, further.forkSeconds - took);
}

std::optional<AskedCase> askedApart(const KernelContext& kernel, const Case& definition, const Literal& call,
                                    const CaseCheck& check) {
  if (kernel.further == nullptr || isRandom(kernel) || isUninitialised(kernel.op)) return std::nullopt;
  return askedElsewhere(kernel, definition, call, check.verdict, check.seconds);
}

/// Says beside the case what a kernel that is asked apart is wrong about.
void remarkApart(const AskedApart& apart, CaseCheck& check,
                 const std::function<void(const SayInFork& say)>& ask) {
  std::string said;
  try {
    ask([&](const std::string& words) { said += words; });
  } catch (const std::exception&) {
    // Of torch, which was asked for what it cannot do, be it on a GPU that works no more or has no room.
  }
  check.elsewhere = remarkOn(said, apart.isAlive() ? std::string() : apart.ending());
}

}  // namespace

void askFurther(const KernelContext& kernel, const Case& definition, const Literal& call, CaseCheck& check) {
  if (kernel.further == nullptr) return;
  kernel.further->checkSeconds = check.seconds;
  kernel.further->wasTooSlow = false;
  if (check.verdict != Verdict::pass) return;
  if (isRandom(kernel) || isUninitialised(kernel.op)) return;
  kernel.further->wasTooSlow = check.seconds > worthAsking * stepSeconds(kernel.job, Stage::check);
  if (kernel.further->wasTooSlow) return;
  if (definition.values.starts_with("stored:"))
    return askWithChangedContents(kernel, definition, call, check);
  // They would be the very contents of the check.
  if (definition.values == "own" && !kernel.ownInputsVary) return;
  // Whoever is slow in its first calls, for whatever reason, is asked all the same.
  const double took = askWithOwnContents(kernel, definition, call, check);
  if (kernel.device != "cpu" || kernel.further->forkSeconds <= 0) return;
  const double seconds = std::min(took, check.seconds);
  if (const auto asked = askedElsewhere(kernel, definition, call, check.verdict, seconds))
    askElsewhere(kernel, *asked, check);
}

void askApart(const KernelContext& kernel, const Case& definition, const AskedApart& apart,
              CaseCheck& check) {
  const Result<Literal> call = parseLiteral(definition.args);
  if (!call || !definition.values.empty()) return;
  const std::optional<AskedCase> asked = askedApart(kernel, definition, *call, check);
  if (!asked) return;
  remarkApart(apart, check, [&](const SayInFork& say) {
    Elsewhere(kernel, *asked, elsewhereSeed(*kernel.further, definition), apart).answer(say);
  });
}

void askProblemApart(const KernelContext& kernel, const Case& definition, const AskedApart& apart,
                     CaseCheck& check) {
  const Result<Literal> call = parseLiteral(definition.args);
  if (!call || definition.values != "own" || !askedApart(kernel, definition, *call, check)) return;
  remarkApart(apart, check, [&](const SayInFork& say) {
    Asking asking(say);
    askProblem(apartFrom(kernel), *call, elsewhereSeed(*kernel.further, definition), asking, apart);
  });
}

}  // namespace wb
