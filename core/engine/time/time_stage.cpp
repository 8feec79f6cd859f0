// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/time_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/quantity.h"
#include "core/engine/cases/device_room.h"
#include "core/engine/cases/input_sets.h"
#include "core/engine/check/case_attempt.h"
#include "core/engine/check/check_stage.h"
#include "core/engine/check/same_answers.h"
#include "core/engine/device/driver.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/reference/seed.h"
#include "core/engine/time/activity_check.h"
#include "core/engine/time/device_floor.h"
#include "core/engine/time/math_mode.h"
#include "core/engine/time/measuring_lock.h"
#include "core/model/pace.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

constexpr std::int64_t fewestSets = 4, drawnSets = 12, mostSets = 64;
constexpr std::int64_t drawnBytes = std::int64_t{1} << 30;
constexpr double worthSayingSeconds = 0.1;
constexpr double cheapWatchSeconds = 8e-3;

/// A call that says whose turn it is and remembers whether it ran, since not every set of a long rotation has
/// its turn.
class TrackedCall : public PreparedCall {
 public:
  TrackedCall(std::unique_ptr<PreparedCall> call, Side side, TimedTurns& turns)
      : call_(std::move(call)), side_(side), turns_(turns) {}
  Result<void> run() override {
    ran_ = true;
    turns_.begin(side_);
    return call_->run();
  }
  Result<Stack> outputs() override { return call_->outputs(); }
  void poisonOutputs() override { call_->poisonOutputs(); }
  [[nodiscard]] std::string notComparable() const override { return call_->notComparable(); }
  [[nodiscard]] bool ran() const { return ran_; }

 private:
  std::unique_ptr<PreparedCall> call_;
  Side side_;
  TimedTurns& turns_;
  bool ran_ = false;
};

/// The inputs that both sides are timed on.
struct Rotation {
  /// The arguments of each set, of the candidate and of the reference.
  std::vector<Stack> given, own;
  std::vector<std::unique_ptr<PreparedCall>> candidate, reference;
  std::vector<const TrackedCall*> tracked;
  /// A copy of the arguments of set 0 that no call was given.
  Stack pristine;
};

/// How many sets there are: four, more while they fit twice the cache, fewer where memory would not hold both
/// sides' copies. Where four fit into a small part of the cache, they are read from it again and again, and
/// the time is a hot one. Then all of them have to fit, or the time would be neither hot nor cold. On a
/// device (`drawBytes` of its memory) there are more, since the place of a set in memory makes a difference
/// of about a percent by chance.
std::int64_t setCount(std::int64_t bytesPerSet, std::int64_t cacheBytes, std::int64_t memoryBytes,
                      std::int64_t drawBytes) {
  const std::int64_t bytes = std::max<std::int64_t>(bytesPerSet, 1);
  const std::int64_t least = std::clamp(drawBytes / bytes, fewestSets, drawnSets);
  const std::int64_t hot = cacheBytes / 4 / bytes;
  const std::int64_t wanted = hot >= fewestSets
                                  ? std::min(hot, mostSets)
                                  : std::clamp((2 * cacheBytes + bytes - 1) / bytes, least, mostSets);
  return std::clamp<std::int64_t>(memoryBytes / (4 * bytes), 1, wanted);
}

std::int64_t outputBytes(const OutputPlan& plan) {
  std::int64_t bytes = 0;
  for (const at::Tensor& example : plan.examples)
    if (example.defined()) bytes += static_cast<std::int64_t>(example.nbytes());
  return bytes;
}

/// Whether there is no work because the output is empty: a side that leaves its launch out would then seem to
/// be faster.
bool nothingToDo(const OutputPlan& plan) {
  return !plan.examples.empty() &&
         std::all_of(plan.examples.begin(), plan.examples.end(),
                     [](const at::Tensor& example) { return example.defined() && example.numel() == 0; });
}

std::function<void(bool)> entering(const KernelContext& kernel) {
  if (kernel.states == nullptr) return kernel.enter;
  return [states = kernel.states](bool candidate) { states->enter(candidate); };
}

/// The reference's call, which goes the same way as the candidate's.
Result<std::unique_ptr<PreparedCall>> timedReference(const KernelContext& kernel, const BoundCall& call,
                                                     const OutputPlan& plan) {
  if (kernel.timedReference == nullptr) return prepareReference(kernel.op, call.arguments);
  return kernel.timedReference->prepare(call, plan);
}

class CaseTimer {
 public:
  CaseTimer(const KernelContext& kernel, const Case& definition, MeasuredDevice& measuredDevice)
      : kernel_(kernel),
        definition_(definition),
        measuredDevice_(measuredDevice),
        seed_(mixSeeds(kernel.secret, mixSeeds(kernel.job.seed, definition.seed))),
        turns_(kernel.turns) {}

  TimeOutcome run();

 private:
  Result<void> prepare(const Literal& call);
  Result<void> addSet(const Literal& call, const OutputPlan& plan, Stack given, Stack own);
  [[nodiscard]] std::string changedPristine() const;
  Result<CaseTiming> measure();
  TimeOutcome failed(const Error& error) const;
  Result<void> watch(CaseTiming& timing);
  [[nodiscard]] std::string impossible(CaseTiming& timing) const;
  std::optional<CaseCheck> recheck();
  bool allRight(const std::vector<std::size_t>& sets);
  CaseCheck recheckSet(std::size_t set);

  const KernelContext& kernel_;
  const Case& definition_;
  MeasuredDevice& measuredDevice_;
  std::uint64_t seed_;
  /// This outlives the calls.
  TimedTurns turns_;
  Rotation rotation_;
  MovedBytes moved_;
  bool rotatesCold_ = false;
  std::vector<std::string> notes_;
};

Result<void> CaseTimer::prepare(const Literal& call) {
  InputSets inputs(kernel_, definition_, call, seed_);
  Result<Stack> made = inputs.next();
  if (!made) return std::move(made).error();
  tellSide(kernel_, Side::reference);
  const Result<OutputPlan> plan = planOutputs(kernel_.op, cloneArguments(*made));
  tellSide(kernel_, std::nullopt);
  if (!plan) return plan.error();
  if (nothingToDo(*plan)) return Error{Stage::time, "nothing to time: every output is empty"};
  moved_ = movedBytes(*made, *plan);
  const std::int64_t sets = setCount(tensorBytes(call) + outputBytes(*plan), measuredDevice_.cacheBytes,
                                     roomForTiming(kernel_), measuredDevice_.device < 0 ? 0 : drawnBytes);
  rotatesCold_ = sets * (tensorBytes(call) + outputBytes(*plan)) >= 2 * measuredDevice_.cacheBytes;
  if (sets < fewestSets)
    notes_.push_back(fmt::format("only {} input sets: more would not fit into memory", sets));
  // The place in memory makes a difference of about a percent. Where neither side may write to its inputs,
  // both read the same memory: each set is there twice, and either side gets both.
  const bool both = kernel_.mutableArguments.empty() && sets > 1;
  for (std::int64_t set = 0; set < (both ? (sets + 1) / 2 : sets); ++set) {
    if (set > 0) made = inputs.next();
    if (!made) return std::move(made).error();
    const Stack given = cloneArguments(*made), own = *std::move(made);
    if (both && set == 0) rotation_.pristine = cloneArguments(own);
    if (Result<void> added = addSet(call, *plan, given, own); !added) return added;
    if (!both) continue;
    if (Result<void> added = addSet(call, *plan, own, given); !added) return added;
  }
  return {};
}

Result<void> CaseTimer::addSet(const Literal& call, const OutputPlan& plan, Stack given, Stack own) {
  rotation_.given.push_back(std::move(given));
  rotation_.own.push_back(std::move(own));
  Result<std::unique_ptr<PreparedCall>> prepared =
      kernel_.candidate.prepare({call, rotation_.given.back()}, plan);
  if (!prepared) return std::move(prepared).error();
  if (const std::string why = (*prepared)->notComparable(); !why.empty()) return Error{Stage::time, why};
  auto tracked = std::make_unique<TrackedCall>(*std::move(prepared), Side::candidate, turns_);
  rotation_.tracked.push_back(tracked.get());
  rotation_.candidate.push_back(std::move(tracked));
  WB_TRY(auto reference, timedReference(kernel_, {call, rotation_.own.back()}, plan));
  // The reference is wrapped like the candidate, so that both pay the same for it.
  rotation_.reference.push_back(std::make_unique<TrackedCall>(std::move(reference), Side::reference, turns_));
  // The candidate is wrapped a second time where its state is kept apart.
  if (kernel_.states != nullptr)
    rotation_.reference.back() =
        std::make_unique<TrackedCall>(std::move(rotation_.reference.back()), Side::reference, turns_);
  return {};
}

/// Says whether the kernel has changed what it reads; it changes both copies of a set alike.
std::string CaseTimer::changedPristine() const {
  if (rotation_.pristine.empty()) return {};
  return changedInputs(kernel_, rotation_.pristine, rotation_.given[0]);
}

Result<CaseTiming> CaseTimer::measure() {
  WB_TRY(const auto lock,
         MeasuringLock::acquire(measuredDevice_.uuid, kernel_.job.limits.caseSeconds / 2, kernel_.stop));
  if (lock.waited() > worthSayingSeconds)
    notes_.push_back(fmt::format("waited {} for another measurement", formatSeconds(lock.waited())));
  const std::string math = mathMode(kernel_.device);
  Result<CaseTiming> timing = timeCase(rotation_.reference, rotation_.candidate, *measuredDevice_.clock,
                                       kernel_.job.timing, seed_, kernel_.stop, entering(kernel_));
  if (!timing) return timing;
  timing->math = math;
  // A rotation that is larger than the cache is read from memory each time.
  if (measuredDevice_.device >= 0) timing->stepCaches = rotatesCold_ ? CacheState::cold : CacheState::hot;
  if (timing->time == "step") timing->caches = timing->stepCaches;
  if (mathMode(kernel_.device) != math) notes_.emplace_back("the kernel changes torch's math settings");
  if (measuredDevice_.device >= 0) WB_DO(watch(*timing));
  return timing;
}

/// Finds out whether the time that was taken is that of the candidate's work. Every case is asked where that
/// is cheap.
Result<void> CaseTimer::watch(CaseTiming& timing) {
  if (measuredDevice_.unwatched || measuredDevice_.watchSeconds > cheapWatchSeconds) return {};
  const auto start = std::chrono::steady_clock::now();
  Result<SeenActivity> seen =
      watchActivity(*rotation_.reference[0], *rotation_.candidate[0], measuredDevice_.device,
                    std::max(timing.host.reference, timing.host.candidate));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!seen) {
    if (seen.error().stage != Stage::profile || deviceBroken()) return std::move(seen).error();
    measuredDevice_.unwatched = true;
    notes_.push_back("not cross-checked: " + seen.error().text);
    return {};
  }
  // The first look opens CUPTI, so its time says nothing about the next one.
  measuredDevice_.watchSeconds =
      measuredDevice_.watched ? std::max(0.0, seconds - timing.reference - timing.candidate) : 0;
  measuredDevice_.watched = true;
  timing.ran = std::move(seen->ran);
  if (!seen->escaped.empty()) return Error{Stage::time, seen->escaped};
  return {};
}

TimeOutcome CaseTimer::failed(const Error& error) const {
  TimeOutcome outcome;
  outcome.reason = describe(error);
  const CaseCheck lost = failedRun(kernel_, error);
  if (lost.verdict == Verdict::crashed) outcome.recheck = lost;
  return outcome;
}

CaseCheck CaseTimer::recheckSet(std::size_t set) {
  CaseCheck check;
  PreparedCall& reference = *rotation_.reference[set];
  Result<void> done = reference.run();
  if (done && kernel_.device != "cpu") done = synchronize(Stage::time);
  Result<Stack> actual = rotation_.candidate[set]->outputs();
  Result<Stack> expected = reference.outputs();
  if (!done || !actual || !expected) {
    check.verdict = Verdict::threw;
    check.message = !done ? done.error().text : !actual ? actual.error().text : expected.error().text;
    return check;
  }
  const std::string changed = changedInputs(kernel_, rotation_.own[set], rotation_.given[set]);
  check = judge(kernel_, rotation_.own[set], *actual, *expected);
  if (changed.empty()) return check;
  check.verdict = Verdict::changedInput;
  check.message = changed;
  return check;
}

/// Checks all sets at once: call by call would take more time than timing them did.
bool CaseTimer::allRight(const std::vector<std::size_t>& sets) {
  std::vector<Stack> actual, expected, before, after;
  for (const std::size_t set : sets) {
    if (!rotation_.reference[set]->run()) return false;
    Result<Stack> mine = rotation_.candidate[set]->outputs(), atens = rotation_.reference[set]->outputs();
    if (!mine || !atens) return false;
    actual.push_back(*std::move(mine));
    expected.push_back(*std::move(atens));
    before.push_back(rotation_.own[set]);
    after.push_back(rotation_.given[set]);
  }
  if (kernel_.device != "cpu" && !synchronize(Stage::time)) return false;
  return surelyClose(actual, expected, kernel_.job.tolerance) && surelySame(before, after);
}

std::optional<CaseCheck> CaseTimer::recheck() {
  const auto wrong = [](CaseCheck check) -> std::optional<CaseCheck> {
    if (check.verdict == Verdict::pass || check.verdict == Verdict::invalid) return std::nullopt;
    check.message = "right when checked, wrong on the timed inputs: " + check.message;
    return check;
  };
  // After many runs an in-place operator has moved its inputs far from where they began, so it gets fresh
  // ones. Random operators are right from one state of the generator only.
  if (!kernel_.mutableArguments.empty() || isRandom(kernel_.op))
    return wrong(checkCase(kernel_, definition_, mixSeeds(seed_, 1)));
  std::vector<std::size_t> ran;
  for (std::size_t set = 0; set < rotation_.candidate.size(); ++set)
    if (rotation_.tracked[set]->ran()) ran.push_back(set);
  if (const std::string changed = changedPristine(); !changed.empty()) {
    CaseCheck check;
    check.verdict = Verdict::changedInput;
    check.message = changed;
    return wrong(std::move(check));
  }
  if (ran.empty() || allRight(ran)) return std::nullopt;
  for (const std::size_t set : ran)
    if (std::optional<CaseCheck> found = wrong(recheckSet(set))) return found;
  return std::nullopt;
}

/// Says what is impossible about the time on a device that was measured.
std::string CaseTimer::impossible(CaseTiming& timing) const {
  if (!measuredDevice_.ceilings) return {};
  const bool cold = timing.caches == CacheState::cold;
  Ceilings known = *measuredDevice_.ceilings;
  // The time of an empty kernel by the clock of the headline.
  if (timing.empty > 0) known.launchSeconds = timing.empty;
  const DeviceFloor floor = deviceFloor(moved_, known, measuredDevice_.cacheBytes, cold, timing.reference);
  timing.floor = floor.seconds;
  timing.floorBy = floor.by;
  if (timing.candidate >= timing.floor) return {};
  return fmt::format("{} is faster than this device can be ({}, {}): what was timed is not the work",
                     formatSeconds(timing.candidate), formatSeconds(floor.seconds), floor.by);
}

TimeOutcome CaseTimer::run() {
  const Result<Literal> call = parseLiteral(definition_.args);
  if (!call) return failed(call.error());
  if (Result<void> ready = prepare(*call); !ready) return failed(ready.error());
  TimeOutcome outcome;
  Result<CaseTiming> timing = measure();
  turns_.rest();
  if (!timing) return failed(timing.error());
  if (std::optional<CaseCheck> found = recheck()) {
    outcome.reason = "differs on the timed inputs";
    outcome.recheck = std::move(found);
    return outcome;
  }
  outcome.reason = impossible(*timing);
  if (!outcome.reason.empty()) return outcome;
  for (const std::string& note : notes_) timing->note += (timing->note.empty() ? "" : "; ") + note;
  outcome.timing = *std::move(timing);
  return outcome;
}

}  // namespace

TimeOutcome timeOneCase(const KernelContext& kernel, const Case& definition, MeasuredDevice& measuredDevice) {
  try {
    return CaseTimer(kernel, definition, measuredDevice).run();
  } catch (...) {
    TimeOutcome outcome;
    outcome.reason = exceptionText();
    const CaseCheck lost = failedRun(kernel, Error{Stage::time, outcome.reason});
    if (lost.verdict == Verdict::crashed) outcome.recheck = lost;
    return outcome;
  }
}

}  // namespace wb
