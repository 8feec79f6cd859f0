// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/case_attempt.h"

#include <ATen/Context.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "core/engine/call_elsewhere.h"
#include "core/engine/cases/inputs.h"
#include "core/engine/check/case_run.h"
#include "core/engine/check/check_stage.h"
#include "core/engine/check/compare/element_errors.h"
#include "core/engine/check/compare/outputs.h"
#include "core/engine/check/further/reference_there.h"
#include "core/engine/check/oracle.h"
#include "core/engine/check/random_operators.h"
#include "core/engine/check/shared_memory.h"
#include "core/engine/check/trivial/other_answers.h"
#include "core/engine/check/written_beyond.h"
#include "core/engine/reference/seed.h"
#include "core/engine/reference/tensor_factory.h"
#include "core/engine/sides/bands/guard_bands.h"
#include "core/engine/sides/memory/readable.h"

namespace wb {
namespace {

constexpr std::uint64_t planDraw = 1000;  // the draw of inputs for planning; draws for checking count from 0
// A reference that takes longer is not run again to see whether it varies.
constexpr double slowSeconds = 0.05;
// A candidate that takes more than this share of a case's limit is not run twice.
constexpr double worthRepeating = 0.25;
// A reference that takes longer is not asked where no kernel has been.
constexpr double longestAskedThere = 3;
// A reference is worth an oracle if it takes no longer than this and has no more elements to widen.
constexpr double cheapSeconds = 0.005;
constexpr std::int64_t cheapElements = std::int64_t{1} << 18;

/// One side's call: what it was given, what it returned (followed by the arguments that it may change), and
/// how long that took.
struct SideRun {
  Stack arguments, results;
  /// The call, which may own what the results share.
  std::unique_ptr<PreparedCall> call;
  double seconds = 0;
  /// CaseCheck::ran, of the candidate.
  std::vector<RanPart> ran;
  /// What the candidate wrote outside of its tensors, in words.
  std::string beyond;
};

class Attempt {
 public:
  Attempt(const KernelContext& kernel, const Case& definition, const Literal& call, std::uint64_t seed,
          DrawInputs inputs = {})
      : kernel_(kernel),
        definition_(definition),
        call_(call),
        seed_(seed),
        random_(isRandom(kernel)),
        inputs_(std::move(inputs)) {}

  CaseAttempt run(bool repeat);
  Result<void> referenceAlone();

 private:
  [[nodiscard]] Result<Stack> inputs(std::uint64_t seed) const {
    return inputs_ ? inputs_(seed) : makeInputs(kernel_, definition_, call_, seed);
  }
  Result<void> plan();
  Result<SideRun> runCandidate(bool& refused) const;
  Result<SideRun> runReference(std::uint64_t seed) const;
  Result<SideRun> finish(SideRun side) const;
  [[nodiscard]] OracleUse oracleUse(const SideRun& reference) const;
  CaseCheck judgeFirst(const SideRun& candidate, const SideRun& reference) const;
  [[nodiscard]] std::string changedByReference() const;
  void repeatRun(const SideRun& first, const SideRun& reference, CaseCheck& check) const;
  void rememberHow(AnsweredHere::How how, Stack expected, std::string error = {});
  [[nodiscard]] std::optional<std::uint64_t> ownSeed() const {
    return definition_.values == "own" ? std::optional(seed_) : std::nullopt;
  }
  [[nodiscard]] bool mayDraw() const { return random_ || isProblem(kernel_.op); }
  [[nodiscard]] bool isForgivenByChance(const CaseCheck& check, const SideRun& reference) const;
  [[nodiscard]] bool referenceReuses(const SideRun& reference) const;
  [[nodiscard]] bool referenceVaries(const SideRun& reference, std::uint64_t seed) const;

  const KernelContext& kernel_;
  const Case& definition_;
  const Literal& call_;
  std::uint64_t seed_;
  bool random_;
  DrawInputs inputs_;
  Stack pristine_;
  OutputPlan plan_;
};

/// Plans the outputs on other inputs, so that the right answer is nowhere in memory when the candidate runs.
/// A problem's own inputs may be gigabytes; its kernel, a Python one, allocates its results itself and needs
/// no plan.
Result<void> Attempt::plan() {
  if (definition_.values == "own") return {};
  WB_TRY(Stack other, inputs(mixSeeds(seed_, planDraw)));
  tellSide(kernel_, Side::reference);
  WB_TRY(plan_, planOutputs(kernel_.op, other));
  if (!definition_.values.starts_with("stored:")) return {};
  // Stored values are the same whatever the seed, so the plan's outputs are the answer.
  for (const at::Tensor& example : plan_.examples) {
    const bool own =
        example.defined() && example.layout() == at::kStrided && !example.is_meta() &&
        std::none_of(other.begin(), other.end(), [&](const c10::IValue& value) {
          return value.isTensor() && value.toTensor().defined() && sharesMemory(value.toTensor(), example);
        });
    if (own) example.zero_();
  }
  return {};
}

Result<SideRun> Attempt::finish(SideRun side) const {
  if (mayDraw()) at::manual_seed(seed_);
  const auto start = std::chrono::steady_clock::now();
  Result<Stack> results = Stack();
  const Result<void> ran = runSeeingDraws(kernel_, [&]() -> Result<void> {
    WB_TRY(results, runAndWait(kernel_, *side.call));
    return {};
  });
  if (!ran) return ran.error();
  side.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  side.results = *std::move(results);
  return side;
}

/// While it is the kernel's turn: who makes memory that does not let itself be read is the kernel, and where
/// that is found out when results are compared, the case would be void.
void readAll(const Stack& results) {
  for (const at::Tensor& each : planFrom(results).examples)
    if (each.defined() && each.is_cpu() && each.layout() == at::kStrided && each.has_storage() &&
        each.numel() > 0)
      readPages(each.const_data_ptr(), each.element_size() * extent(each.sizes(), each.strides()));
}

Result<SideRun> Attempt::runCandidate(bool& refused) const {
  SideRun side;
  // compute-sanitizer sees what is written outside of an allocation, and bands are inside of one.
  std::optional<GuardBands> bands;
  if (!kernel_.job.stages.has(Stage::sanitize)) bands.emplace(mixSeeds(kernel_.secret, seed_));
  {
    std::optional<GuardBands::InForce> guarded;
    if (bands) guarded.emplace(*bands);
    side.arguments = cloneArguments(pristine_);
  }
  tellSide(kernel_, Side::candidate);
  {
    // Where no user code runs here, what holds the call's results and its arguments is allocated now. A
    // kernel that runs here allocates in its call; its state has to stay as it is meanwhile.
    std::optional<GuardBands::InForce> guarded;
    if (bands && kernel_.states == nullptr) guarded.emplace(*bands);
    Result<std::unique_ptr<PreparedCall>> call = kernel_.candidate.prepare({call_, side.arguments}, plan_);
    refused = !call;
    if (!call) return std::move(call).error();
    side.call = *std::move(call);
  }
  side.call->poisonOutputs();
  if (mayDraw()) at::manual_seed(seed_);
  WB_TRY(WatchedRun run, runWatched(kernel_, *side.call, bands ? &*bands : nullptr));
  side.results = std::move(run.results);
  if (elsewhere(*side.call) == nullptr) readAll(side.results);
  if (const auto beyond = bands ? bands->found() : std::nullopt)
    side.beyond = wordsOf(*beyond, kernel_.op.schema(), {side.arguments, side.results});
  if (bands && side.beyond.empty() && run.beyond) side.beyond = wordsOf(*run.beyond, side.results.size());
  side.ran = std::move(run.ran);
  side.seconds = run.seconds;
  if (kernel_.further != nullptr) kernel_.further->callSeconds = run.seconds;
  return side;
}

Result<SideRun> Attempt::runReference(std::uint64_t seed) const {
  SideRun side;
  side.arguments = cloneArguments(pristine_);  // even where the schema promises to change nothing
  tellSide(kernel_, Side::reference);
  side.call = prepareReference(kernel_.op, side.arguments);
  if (seed == seed_) return finish(std::move(side));
  at::manual_seed(seed);
  WB_TRY(side.results, runAndWait(kernel_, *side.call));
  return side;
}

OracleUse Attempt::oracleUse(const SideRun& reference) const {
  if (random_ || isUninitialised(kernel_.op)) return OracleUse::never;
  const bool cheap = reference.seconds <= cheapSeconds && elementsOf(pristine_) <= cheapElements;
  return kernel_.job.checking.oracle || cheap ? OracleUse::always : OracleUse::whereNeeded;
}

/// The results followed by the arguments that the operator may change: both are the answer.
Stack answer(const KernelContext& kernel, const SideRun& side) {
  Stack all = side.results;
  for (const std::size_t position : kernel.mutableArguments) all.push_back(side.arguments[position]);
  return all;
}

CaseCheck Attempt::judgeFirst(const SideRun& candidate, const SideRun& reference) const {
  CaseCheck check =
      judge(kernel_, pristine_, answer(kernel_, candidate), answer(kernel_, reference), oracleUse(reference));
  const auto object = [&](Verdict verdict, std::string message) {
    check.verdict = verdict;
    check.message = std::move(message);
  };
  const std::string variesByItself =
      fmt::format("{} itself gives other values each time: only shape and type were checked",
                  isProblem(kernel_.op) ? "the reference" : "ATen");
  const CallResults mine{candidate.arguments, candidate.results},
      atens{reference.arguments, reference.results};
  if (isUninitialised(kernel_.op) && check.errors) {
    object(Verdict::invalid, "the operator's result is memory as it lies: only shape and type were checked");
    check.errors.reset();  // differences of what was never written
  }
  const std::string changed = changedInputs(kernel_, pristine_, candidate.arguments);
  if (!candidate.beyond.empty()) {
    object(Verdict::changedInput, candidate.beyond);
  } else if (!changed.empty() && changed != changedByReference()) {
    object(Verdict::changedInput, changed);
  } else if (check.verdict == Verdict::pass) {
    if (isForgivenByChance(check, reference))
      object(Verdict::invalid, variesByItself);
    else if (std::string shared = forbiddenAlias(kernel_.op.schema(), mine, sharedArguments(atens));
             !shared.empty())
      object(Verdict::changedInput, std::move(shared));
    else if (std::string missing = missingAlias(kernel_.op.schema(), mine); !missing.empty())
      object(Verdict::mismatch, std::move(missing));
  } else if (check.verdict == Verdict::mismatch && random_) {
    object(Verdict::invalid,
           fmt::format("the {} is random, and the kernel's values come from another generator than {}: only "
                       "shape and type were checked",
                       isProblem(kernel_.op) ? "reference" : "operator",
                       isProblem(kernel_.op) ? "its own, or in another order" : "ATen's"));
  } else if ((check.verdict == Verdict::mismatch ||
              (check.verdict == Verdict::wrongDtype && isProblem(kernel_.op))) &&
             reference.seconds <= slowSeconds && referenceVaries(reference, seed_)) {
    object(Verdict::invalid, variesByItself);
  }
  return check;
}

/// What ATen itself changes although its schema does not say so, such as the running statistics of
/// native_batch_norm.
std::string Attempt::changedByReference() const {
  const Stack own = cloneArguments(pristine_);
  const SideTurn turn(kernel_.turns, Side::reference);
  const std::unique_ptr<PreparedCall> reference = prepareReference(kernel_.op, own);
  return runAndWait(kernel_, *reference) ? changedInputs(kernel_, pristine_, own) : std::string();
}

/// Whether the reference's answers differ by more than the tolerance allows. An operator whose additions come
/// in any order is judged like any other. The oracle of a problem that keeps something from call to call does
/// so too, and tells nothing.
bool Attempt::referenceVaries(const SideRun& reference, std::uint64_t seed) const {
  Result<SideRun> again = runReference(seed);
  if (!again || sameBits(again->results, reference.results)) return false;
  return judge(kernel_, pristine_, answer(kernel_, *again), answer(kernel_, reference),
               random_ || isProblem(kernel_.op) ? OracleUse::never : OracleUse::whereNeeded)
             .verdict != Verdict::pass;
}

/// Whether elements count as right because a problem's reference seems to need much room for rounding, where
/// it gives other values each time, for whatever reason.
bool Attempt::isForgivenByChance(const CaseCheck& check, const SideRun& reference) const {
  const bool isForgiven = check.errors && check.errors->forgiven > 0;
  return isForgiven && isProblem(kernel_.op) && reference.seconds <= slowSeconds &&
         referenceVaries(reference, seed_);
}

/// Whether a run's results lie in the memory of those of another one, which are still there.
bool liesInThatOf(const SideRun& run, const SideRun& before) {
  if (const CallElsewhere* const there = elsewhere(*run.call)) return there->sharesResults(*before.call);
  for (const at::Tensor& mine : planFrom(run.results).examples)
    for (const at::Tensor& theirs : planFrom(before.results).examples)
      if (mine.defined() && theirs.defined() && sharesMemory(mine, theirs)) return true;
  return false;
}

/// Whether the reference does so too, such as a model that returns a parameter of its own.
bool Attempt::referenceReuses(const SideRun& reference) const {
  const Result<SideRun> again = runReference(seed_);
  return !again || liesInThatOf(*again, reference);
}

void Attempt::repeatRun(const SideRun& first, const SideRun& reference, CaseCheck& check) const {
  if (random_ || first.seconds > stepSeconds(kernel_.job, Stage::check) * worthRepeating) return;
  if (check.verdict != Verdict::pass && check.verdict != Verdict::mismatch) return;
  const Stack before = answer(kernel_, first);
  bool refused = false;
  Result<SideRun> second = runCandidate(refused);
  if (!second) {
    const CaseCheck failed = failedRun(kernel_, second.error());
    check.verdict = failed.verdict;
    check.message = "the second time on the same input: " + failed.message;
    check.errorType = failed.errorType;
    check.trace = failed.trace;
    return;
  }
  check.ran = overTwoCalls(check.ran, second->ran);
  if (check.verdict == Verdict::pass && !second->beyond.empty()) {
    check.verdict = Verdict::changedInput;
    check.message = "the second time on the same input: " + second->beyond;
    return;
  }
  if (check.verdict == Verdict::pass && liesInThatOf(*second, first) && !referenceReuses(reference)) {
    check.verdict = Verdict::mismatch;
    check.message = "the second answer lies in the memory of the first, which is still held";
    return;
  }
  const Stack after = answer(kernel_, *second);
  if (sameBits(before, after)) return;
  const Result<SideRun> again = runReference(seed_);
  if (again && !sameBits(answer(kernel_, *again), answer(kernel_, reference))) return;  // ATen varies too
  check.varies = true;
  const CaseCheck other = judge(kernel_, pristine_, after, answer(kernel_, reference));
  const bool right = check.verdict == Verdict::pass, rightThen = other.verdict == Verdict::pass;
  if (right && !rightThen) {
    check.verdict = Verdict::mismatch;
    check.message = "right the first time, wrong the second on the same input: " + other.message;
    if (other.errors) check.errors = other.errors;
    check.wrong = other.wrong;
  } else if (!right && rightThen) {
    check.message = "wrong the first time, right the second on the same input: " + check.message;
  } else if (check.message.empty()) {
    check.message = "other bits the second time on the same input, though within tolerance";
  }
}

CaseAttempt ended(Verdict verdict, const std::string& message) {
  return {verdictOf(verdict, message), {}, 0};
}

CaseAttempt Attempt::run(bool repeat) {
  const auto referenceFailed = [this](const Error& error) {
    rememberHow(AnsweredHere::How::notAtAll, {}, error.text);
    return ended(Verdict::invalid, "the reference failed: " + withHint(error));
  };
  Result<Stack> arguments = inputs(seed_);
  if (!arguments) return ended(Verdict::refused, withHint(arguments.error()));
  pristine_ = *std::move(arguments);
  if (const Result<void> planned = plan(); !planned) return referenceFailed(planned.error());
  bool refused = false;
  const Result<SideRun> candidate = runCandidate(refused);
  if (!candidate && refused) return ended(Verdict::refused, withHint(candidate.error()));
  if (!candidate) return {failedRun(kernel_, candidate.error()), {}, 0};
  const Result<SideRun> reference = runReference(seed_);
  if (!reference) return referenceFailed(reference.error());

  // The operator's tag says that it is random, but it may be so with other arguments only, as attention is
  // with dropout.
  random_ = isRandom(kernel_);
  random_ = random_ && referenceVaries(*reference, mixSeeds(seed_, 1));
  const Stack expected = answer(kernel_, *reference);
  CaseAttempt attempt{judgeFirst(*candidate, *reference), {}, elementsOf(expected)};
  attempt.check.ran = candidate->ran;
  if (attempt.check.verdict == Verdict::pass && !random_) {
    const auto draw = [&](std::uint64_t number) { return inputs(mixSeeds(seed_, planDraw + number)); };
    attempt.others = otherAnswers(kernel_, {pristine_, expected, reference->seconds},
                                  definition_.values == "own" ? draw : DrawInputs());
  }
  if (repeat) repeatRun(*candidate, *reference, attempt.check);
  // What takes longer would keep who waits for the answers.
  if (reference->seconds > longestAskedThere) return attempt;
  if (attempt.check.verdict == Verdict::pass)
    rememberHow(AnsweredHere::How::steadily, expected);
  else if (attempt.check.verdict == Verdict::invalid)
    rememberHow(AnsweredHere::How::variously, {});
  return attempt;
}

/// Has the reference asked the same where no kernel has been, of the case's own inputs alone. It is the last
/// use of them.
void Attempt::rememberHow(AnsweredHere::How how, Stack expected, std::string error) {
  if (kernel_.further == nullptr || inputs_ || isUninitialised(kernel_.op) ||
      seed_ != mixSeeds(mixSeeds(kernel_.job.seed, definition_.seed), 0))
    return;
  const bool isDrawn = kernel_.further->forked.contains(&definition_) || definition_.values == "own";
  const bool draws = isRandom(kernel_);
  remember(kernel_, {call_, ownSeed(), draws ? std::optional(seed_) : std::nullopt, how, std::move(pristine_),
                     std::move(expected), std::move(error), isDrawn});
}

Result<void> Attempt::referenceAlone() {
  WB_TRY(pristine_, inputs(seed_));
  WB_DO(plan());
  WB_TRY(const SideRun reference, runReference(seed_));
  if (oracleUse(reference) != OracleUse::never) (void)oracleOutputs(kernel_, pristine_);
  return {};
}

}  // namespace

CaseAttempt attemptCase(const KernelContext& kernel, const Case& definition, const Literal& call,
                        std::uint64_t seed, bool repeat, const DrawInputs& inputs) {
  return Attempt(kernel, definition, call, seed, inputs).run(repeat);
}

Result<void> runReferenceAlone(const KernelContext& kernel, const Case& definition, const Literal& call,
                               std::uint64_t seed) {
  return Attempt(kernel, definition, call, seed).referenceAlone();
}

}  // namespace wb
