// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/operator_questions.h"

#include <ATen/core/enum_tag.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/worked_seconds.h"
#include "core/engine/cases/inputs.h"
#include "core/engine/check/further/other_arguments.h"
#include "core/engine/check/further/other_numbers.h"
#include "core/engine/check/further/other_values.h"
#include "core/engine/check/further/own_values.h"
#include "core/engine/reference/seed.h"
#include "core/model/operators/dtype.h"
#include "core/suites/literals/literal_parser.h"
#include "core/suites/perturb.h"
#include "core/suites/perturbed_suites.h"
#include "core/suites/trace_file.h"

namespace wb {
namespace {

/// New questions of one kind are asked until this thread has worked on them for so long. The time that others
/// took from it on a busy machine does not count, or what is asked would depend on them. A kernel that needs
/// long for each new shape has as much left for other values as any other.
constexpr double askingSeconds = 0.3;
/// The same by the clock where this thread mostly waits for a GPU or for another process.
constexpr double askingThereSeconds = 0.6;
/// For other values nothing is compiled anew, so that time which they take is a shared GPU's or a large
/// case's, and not the kernel's.
constexpr double valuesThereSeconds = 2.4;
/// On a busy machine much of that is waited for a processor: so long it may take where this process has not
/// worked for askingSeconds.
constexpr double askingBusySeconds = 1.2;

/// So many bytes of tensors are drawn, computed and compared in a millisecond.
constexpr std::int64_t smallBytes = 1 << 16;

constexpr std::string_view atOtherShapes = "at other shapes: ", withOtherStrides = "with other strides: ",
                           withOtherValues = "with other values: ";
/// What mends a kernel that is wrong there.
constexpr std::string_view mendsStrides = " (call .contiguous() or read the strides)";

class OperatorQuestions {
 public:
  OperatorQuestions(const KernelContext& kernel, AskedCase asked, AskedApart apart)
      : kernel_(apartFrom(kernel)),
        definition_(std::move(asked.definition)),
        call_(std::move(asked.call)),
        isSmaller_(asked.isSmaller),
        seed_(asked.seed),
        asksStrides_(kernel.further->asksStrides),
        apart_(std::move(apart)),
        mayReadBeyond_(apart_.isStrict || (kernel.device == "cpu" && !kernel.further->isUnanswered)) {}

  void answer(const SayInFork& say) {
    if (!isSmaller_) {
      const auto same = answersTo(call_, drawnTensor, seed_);
      if (!same || !isRight(kernel_, *same)) return sayNotAgain(same, say);
    }
    Asking asking(say);
    asking.canAnswer();
    askAll(asking);
  }

  void answerAgain(std::set<std::string> words, const SayInFork& say) {
    only_ = std::move(words);
    Asking asking(say);
    asking.canAnswer();
    askAll(asking);
  }

 private:
  /// A kernel could avoid all questions by failing now. One that is wrong by chance is so for few contents.
  void sayNotAgain(const Result<BothAnswers>& same, const SayInFork& say) {
    constexpr std::uint64_t tries = 3;
    if (!apart_.isNoCopy() || !apart_.isAlive()) return;
    Asking asking(say);
    if (!same) return sayFailsAgain(asking, kernel_, same.error());
    for (std::uint64_t i = 1; i < tries; ++i)
      if (const auto other = answersTo(call_, drawnTensor, mixSeeds(seed_, i));
          !other || isRight(kernel_, *other))
        return;
    asking.cannotAnswerAgain("is wrong");
  }

  void askAll(Asking& asking) {
    if (isSmaller_ && !askSmaller(asking)) return;
    askShapes(asking);
    begin();
    // Kernels that are compiled when they are called are so for other numbers, but not for other values.
    if (takesOtherValues()) askValues(asking);
    begin();
    askNumbers(asking);
    askLeftOut(asking);
    // Raw kernels for a GPU do not hear of a dimension, and may read beyond their tensors for another one.
    begin();
    if (kernel_.device == "cpu") askArguments(asking);
    // This is last, since it may be no more than a note.
    begin();
    if (asksStrides_) askStrides(asking);
  }

  /// The time for a kind of question begins.
  void begin() {
    began_ = workedSeconds();
    start_ = std::chrono::steady_clock::now();
  }

  Result<BothAnswers> answersTo(const Literal& call, const TensorSource& source, std::uint64_t seed) {
    const auto drawn = [&](std::uint64_t from) {
      return makeArguments(kernel_.op.schema(), call, from, kernel_.device, source);
    };
    // Results are planned from other contents, which for a large case take as long to draw as those asked.
    const bool isOwn = &call == &call_;
    if (!isOwn || !own_) {
      WB_TRY(Stack others, drawn(mixSeeds(seed, 1)));
      WB_TRY(OutputPlan plan, planOutputs(kernel_.op, others));
      if (!isOwn) return answered(call, drawn(seed), plan);
      own_ = std::move(plan);
    }
    return answered(call, drawn(seed), *own_);
  }

  Result<BothAnswers> answered(const Literal& call, Result<Stack> arguments, const OutputPlan& plan) const {
    if (!arguments) return std::move(arguments).error();
    return wb::answersTo(kernel_, call, *std::move(arguments), plan, apart_.wait);
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

  /// `there`: for so long by the clock where this thread mostly waits.
  [[nodiscard]] bool goOn(double there = askingThereSeconds) {
    if (apart_.letOthers) {
      const auto before = std::chrono::steady_clock::now();
      apart_.letOthers();
      start_ += std::chrono::steady_clock::now() - before;
    }
    if (!apart_.mayAsk()) return false;
    if (kernel_.device == "cpu" && !apart_.isStrict) return workedSeconds() - began_ < askingSeconds;
    const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const bool mayWait = kernel_.device == "cpu" && workedSeconds() - began_ < askingSeconds;
    return all < std::max(mayWait ? askingBusySeconds : 0, there);
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

  /// What the time leaves no room for at the case's sizes is asked at small ones.
  void askValues(Asking& asking) {
    const bool exactly = promisesAmongEquals(definition_.op);
    std::optional<Literal> small;
    for (const auto& [kind, reaches] :
         otherValuesFor(definition_.op, kernel_.op.hasTag(at::Tag::pointwise))) {
      std::optional<std::pair<std::string, BothAnswers>> partly;
      for (const int octaves : reaches) {
        if (kind == OtherValues::wide && !hasWholeNumbers()) continue;
        if (!goOn(valuesThereSeconds)) {
          if (small || !apart_.mayAsk() || !(small = rightAtSmallSizes(asking))) return;
          begin();
        }
        const std::string words = std::string(withOtherValues) + wordsOf(kind, octaves);
        if (!isAsked(words)) continue;
        asking.asked(words);
        const Literal& call = small ? *small : call_;
        const auto both = answersTo(call, otherValues(kind, octaves), contentsFor(words));
        if (!both) {
          const auto same = makeArguments(kernel_.op.schema(), call, contentsFor(words), kernel_.device,
                                          otherValues(kind, octaves));
          if (same && sayUnanswered(asking, kernel_, apart_, words, both.error(), *same)) return;
          continue;
        }
        if (kind != OtherValues::infinite && !allFinite(both->expected)) {
          if (!partly && mayJudgePart(kind, *both)) partly = {words, *std::move(both)};
          continue;  // the next ones are milder
        }
        if (isWrong(*both, kind, exactly)) return asking.isWrong(words);
        partly.reset();
        break;
      }
      if (partly && isWrong(partly->second, kind, exactly)) return asking.isWrong(partly->first);
    }
  }

  /// Of an operator that makes no number of many of them, as a logarithm does of negative ones, none are mild
  /// enough. Where it looks at each for itself, those of which it makes one are judged.
  [[nodiscard]] bool mayJudgePart(OtherValues kind, const BothAnswers& both) const {
    constexpr double leastFinite = 0.1;
    const bool isAmongUsual = kind == OtherValues::large || kind == OtherValues::small ||
                              kind == OtherValues::mixed || kind == OtherValues::halves;
    return isAmongUsual && kernel_.op.hasTag(at::Tag::pointwise) && finiteShare(both.expected) >= leastFinite;
  }

  /// The call with sizes at which a question takes no time. Nothing where there is none at which the kernel
  /// is right.
  std::optional<Literal> rightAtSmallSizes(Asking& asking) {
    const Result<EditableCall> whole = editCall(definition_.args);
    const auto less = whole ? shrunk(*whole, smallBytes) : std::nullopt;
    const Result<Case> made = less ? makeCase(definition_.op, 1, text(*less)) : Error{};
    Result<Literal> literal = made ? parseLiteral(made->args) : made.error();
    if (!literal) return std::nullopt;
    const std::string words = std::string(atOtherShapes) + made->shapes;
    if (isAsked(words)) asking.asked(words);
    const auto both = answersTo(*literal, drawnTensor, contentsFor(words));
    if (!both) return std::nullopt;
    if (isRight(kernel_, *both)) return *std::move(literal);
    if (isAsked(words)) asking.isWrong(words);
    return std::nullopt;
  }

  /// Whole numbers are judged as any case's are: which of equal ones is found is up to each side.
  bool isWrong(const BothAnswers& both, OtherValues kind, bool exactly) {
    if (kind == OtherValues::wide) return !isRight(kernel_, both);
    return isFarOffWhereFinite(both.actual, both.expected, kind, exactly && kind == OtherValues::halves) &&
           !isRounding(both, kind);
  }

  /// Whether the reference itself makes something else of values that differ in their last bits.
  bool isRounding(const BothAnswers& both, OtherValues kind) {
    if (kind != OtherValues::small && kind != OtherValues::huge) return false;
    const auto near = referenceAnswer(kernel_, withOtherLastBits(both.pristine, mixSeeds(seed_, 7)));
    return !near || isFarOffWhereFinite(*near, both.expected, kind);
  }

  static bool isFarOffWhereFinite(const Stack& actual, const Stack& expected, OtherValues kind,
                                  bool exactly = false) {
    if (kind == OtherValues::infinite || allFinite(expected))
      return isFarOff(actual, expected, kind, exactly);
    return isFarOff(whereFinite(actual, expected), whereFinite(expected, expected), kind, exactly);
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

  /// A kernel may take memory as it lies, whatever the strides are. One that reads beyond it does so where
  /// tensors are expanded, which is asked last.
  void askStrides(Asking& asking) {
    const Result<EditableCall> call = editCall(definition_.args);
    if (!call) return;
    OperatorTraits traits;
    traits.inPlace = !kernel_.mutableArguments.empty();
    for (const Variant& each : layoutVariants(*call, traits)) {
      const Result<Literal> literal = parseLiteral(text(each.call));
      if (!literal || !goOn() || (each.kind == "expanded" && !mayReadBeyond_)) continue;
      const std::string words = std::string(withOtherStrides) + each.kind;
      if (!isAsked(words)) continue;
      asking.asked(words);
      const auto both = answersTo(*literal, drawnTensor, contentsFor(words));
      if (both && !isRight(kernel_, *both))
        return asking.isWrongWithStrides(words + std::string(mendsStrides));
    }
  }

  /// A kernel may take no notice of an argument that no case of the suite gives.
  /// A number that is twice as much is known beforehand, and whole where the case's is: it is asked about
  /// where the reference takes no other one, as beside whole numbers.
  void askNumbers(Asking& asking) {
    const std::vector<OtherNumber> known = withOtherNumbers(call_, kernel_.op.schema(), twiceAsMuch);
    const std::vector<OtherNumber> secret =
        withOtherNumbers(call_, kernel_.op.schema(), secretTimes(mixSeeds(seed_, 9)));
    for (std::size_t i = 0; i < secret.size(); ++i)
      for (const OtherNumber& number : {secret[i], known[i]}) {
        if (!goOn()) return;
        const std::string asked =
            (number.isWord ? "with another word: " : "with another number: ") + number.words;
        if (!isAsked(asked)) continue;
        asking.asked(asked);
        const auto both = answersTo(number.call, drawnTensor, contentsFor(asked));
        if (both && !isRight(kernel_, *both)) return asking.isWrong(asked);
        if (both || number.isWord) break;  // there is one other word
      }
  }

  /// A kernel may take no notice of a tensor that no case of the suite gives.
  void askLeftOut(Asking& asking) {
    for (const auto& ways : withLeftOutTensors(call_, kernel_.op.schema()))
      if (askFirstAccepted(asking, ways, "with a tensor for '", "'")) return;
  }

  /// A kernel may be made for the padding, the order or the number of tensors that the suite gives.
  void askArguments(Asking& asking) {
    for (const auto& ways : withOtherArguments(call_, kernel_.op.schema()))
      if (askFirstAccepted(asking, ways, "with another argument: ", "")) return;
    for (const OtherNumber& without : withoutGivenTensors(call_, kernel_.op.schema()))
      if (askFirstAccepted(asking, {without}, "without a tensor for '", "'")) return;
    for (const auto& ways : withOtherArguments(call_, kernel_.op.schema(), Which::ofOneCase))
      if (noteFirstAccepted(asking, ways)) return;
  }

  /// Of a kernel that is made for the dimension or the truth of its case there is a word.
  bool noteFirstAccepted(Asking& asking, const std::vector<OtherNumber>& ways) {
    const auto wrong = firstAccepted(asking, ways, "", "");
    if (wrong && wrong->isWrong)
      asking.isNoted(fmt::format("The kernel is made for the arguments of its cases: it is wrong with {}.",
                                 wrong->words));
    return wrong && wrong->isWrong;
  }

  bool askFirstAccepted(Asking& asking, const std::vector<OtherNumber>& ways, std::string_view before,
                        std::string_view after) {
    const auto answer = firstAccepted(asking, ways, before, after);
    if (answer && answer->isWrong) asking.isWrong(answer->asked);
    return answer && answer->isWrong;
  }

  struct FirstAccepted {
    /// The way, and the question for it.
    std::string words, asked;
    bool isWrong = false;
  };
  /// Which of several calls fit, the reference says beforehand, for other contents than those that are asked.
  /// What the kernel makes of the first of them.
  std::optional<FirstAccepted> firstAccepted(Asking& asking, const std::vector<OtherNumber>& ways,
                                             std::string_view before, std::string_view after) {
    for (const auto& [words, other, isWord] : ways) {
      if (!goOn()) return std::nullopt;
      const std::string asked = fmt::format("{}{}{}", before, words, after);
      if (!isAsked(asked)) continue;
      const Result<Stack> tried =
          makeArguments(kernel_.op.schema(), other, mixSeeds(seed_, 8), kernel_.device, drawnTensor);
      if (!tried || !referenceAnswer(kernel_, *tried)) continue;
      // A crash is no word against a kernel where a wrong answer is none.
      asking.asked(before.empty() ? std::string() : asked);
      const auto both = answersTo(other, drawnTensor, contentsFor(asked));
      return FirstAccepted{words, asked, both && !isRight(kernel_, *both)};
    }
    return std::nullopt;
  }

  KernelContext kernel_;
  Case definition_;
  Literal call_;
  bool isSmaller_;
  std::uint64_t seed_;
  bool asksStrides_;
  AskedApart apart_;
  /// What the call's own results are like.
  std::optional<OutputPlan> own_;
  /// What is read beyond a tensor harms nobody, as in a copy of the process.
  bool mayReadBeyond_;
  /// The words of the only questions that are asked; empty: all are.
  std::set<std::string> only_;
  double began_ = workedSeconds();
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

void askOperator(const KernelContext& kernel, const AskedCase& asked, const AskedApart& apart,
                 const SayInFork& say) {
  OperatorQuestions(kernel, asked, apart).answer(say);
}

void askOperatorAgain(const KernelContext& kernel, const AskedCase& asked, std::set<std::string> words,
                      const SayInFork& say) {
  OperatorQuestions(kernel, asked, {}).answerAgain(std::move(words), say);
}

std::set<std::string> worthAskingAgain(const std::string& said, std::uint64_t seed, bool wasLate) {
  std::vector<std::string> asked = questionsIn(said);
  if (wasLate && !asked.empty()) asked.pop_back();
  // What it was wrong about need not be asked again.
  if (isWrongWithStrides(said))
    std::erase_if(asked, [](const std::string& each) { return each.starts_with(withOtherStrides); });
  std::set<std::string> again;
  for (const std::string& each : asked)
    if (each.starts_with(atOtherShapes) || each.starts_with(withOtherStrides) ||
        each.starts_with(withOtherValues))
      again.insert(each);
  if (!asked.empty()) again.insert(asked[seed % asked.size()]);
  return again;
}

}  // namespace wb
