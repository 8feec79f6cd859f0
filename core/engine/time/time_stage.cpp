// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/time_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "core/base/quantity.h"
#include "core/engine/cases/device_room.h"
#include "core/engine/check/check_stage.h"
#include "core/engine/check/further/other_values.h"
#include "core/engine/check/random_operators.h"
#include "core/engine/device/driver.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/reference/seed.h"
#include "core/engine/sides/process/one_thread.h"
#include "core/engine/time/case_timer.h"
#include "core/engine/time/cross_checks/activity_check.h"
#include "core/engine/time/math_mode.h"
#include "core/model/pace.h"
#include "core/model/plan/not_timed.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

constexpr std::int64_t fewestSets = 4, drawnSets = 12, mostSets = 64, mostRoughSets = 4;
/// Where a sample has no more calls than there are sets, it would be too short with so few of them: short
/// beside what goes on outside of its clock, most of all on a GPU.
constexpr std::int64_t mostRoughSetsOfSample = 16, drawnSetsOfSample = 32;
constexpr std::int64_t drawnBytes = std::int64_t{1} << 30;
constexpr double cheapWatchSeconds = 8e-3;
/// So often it is timed before the reference is said to be slowed, in such a part of the case's time.
constexpr int timesToBeSlowed = 3;
constexpr double shareForTries = 0.2;

/// How many sets memory holds, both sides' copies of them included.
std::int64_t roomForSets(std::int64_t bytesPerSet, std::int64_t memoryBytes) {
  return memoryBytes / (4 * std::max<std::int64_t>(bytesPerSet, 1));
}

/// How many sets there are: four, more while they fit twice the cache, fewer where memory would not hold both
/// sides' copies. Where four fit into a small part of the cache, they are read from it again and again, and
/// the time is a hot one. Then all of them have to fit, or the time would be neither hot nor cold. On a
/// device there are more (`mostDrawn`, in a part of its memory), since the place of a set in memory makes a
/// difference of about a percent by chance. Who wants a rough time does not wait for many to be made.
std::int64_t setCount(std::int64_t bytesPerSet, std::int64_t cacheBytes, std::int64_t memoryBytes,
                      std::int64_t mostDrawn, std::int64_t mostHot) {
  const std::int64_t bytes = std::max<std::int64_t>(bytesPerSet, 1);
  const std::int64_t least = std::clamp(drawnBytes / bytes, fewestSets, mostDrawn);
  const std::int64_t hot = cacheBytes / 4 / bytes;
  const std::int64_t wanted = hot >= fewestSets
                                  ? std::min(hot, mostHot)
                                  : std::clamp((2 * cacheBytes + bytes - 1) / bytes, least, mostSets);
  return std::clamp<std::int64_t>(roomForSets(bytes, memoryBytes), 1, wanted);
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

/// Whether something else than tensors is given, which stays what it is while a case is timed.
bool givesNumbers(const Stack& arguments) {
  return std::any_of(arguments.begin(), arguments.end(), [](const c10::IValue& each) {
    return each.isInt() || each.isDouble() || each.isString() || each.isIntList() || each.isDoubleList();
  });
}

/// The shortest of a few calls in this process, in seconds; long ones are not repeated.
Result<double> quickestOf(PreparedCall& call) {
  constexpr int tries = 5;
  constexpr double longCall = 0.02;
  double quickest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < tries && (i == 0 || quickest < longCall); ++i) {
    const auto start = std::chrono::steady_clock::now();
    WB_DO(call.run());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    quickest = std::min(quickest, took.count());
  }
  return quickest;
}

/// Whether the process in which a reference is timed does not show what it takes, for whatever reason: an
/// order costs some tens of microseconds.
bool isSlowThere(double there, double here) {
  constexpr double times = 3, order = 1e-4;
  return here > 0 && there > times * here + order;
}

}  // namespace

/// Whether somebody's own values may change as contents_ says: the reference has to take the new ones, and to
/// make finite numbers of them where it did before.
bool CaseTimer::mayChange(const Contents& contents, const Stack& results) const {
  if (definition_.values != "own" && !definition_.values.starts_with("stored:")) return true;
  const SideTurn turn(kernel_.turns, Side::reference);
  const InputCopy other = contents.copy(mixSeeds(seed_, 2));
  const auto call = prepareReference(kernel_.op, other.arguments);
  if (!call->run()) return false;
  const Result<Stack> changed = call->outputs();
  return changed && (allFinite(*changed) || !allFinite(results));
}

Result<void> CaseTimer::prepare(const Literal& call) {
  const std::int64_t freeBefore = freeMemory(kernel_.device);
  // On a GPU the host only launches.
  if (measuredDevice_.device < 0) measuredDevice_.constants.makePresent();
  WB_TRY(Contents contents, Contents::make(kernel_, definition_, call, seed_, measuredDevice_.values.get()));
  tellSide(kernel_, Side::reference);
  const auto planning = prepareReference(kernel_.op, cloneArguments(contents.drawn()));
  Result<void> ran = planning->run();
  tellSide(kernel_, std::nullopt);
  if (!ran) return ran;
  WB_TRY(const Stack results, planning->outputs());
  const OutputPlan plan = planFrom(results);
  if (nothingToDo(plan)) return Error{Stage::time, std::string(nothingToTime)};
  moved_ = movedBytes(contents.drawn(), plan);
  if (!mayChange(contents, results)) {
    contents.onlyScale();
    if (!mayChange(contents, results)) contents.keepContents();
  }
  if (kernel_.timedReference != nullptr && kernel_.device == "cpu" && kernel_.mutableArguments.empty()) {
    WB_TRY(here_, quickestOf(*prepareReference(kernel_.op, cloneArguments(contents.drawn()))));
  }
  doChange_ = contents.change();
  areOnlyScaled_ = contents.areOnlyScaled();
  holdSameNumbers_ = contents.holdSameNumbers() || givesNumbers(contents.drawn());
  plan_ = plan;
  if (!doChange_) notes_.emplace_back("timed on inputs that do not change");
  // Nobody can draw others to see whether answers to them are kept.
  if (doChange_ && definition_.values == "own" && contents.staysInPart())
    notes_.emplace_back("timed on inputs of which some do not change");
  const std::int64_t bytes = tensorBytes(call) + outputBytes(plan);
  const bool rough = kernel_.job.timing.isRough();
  const bool onDevice = kernel_.device != "cpu", isStrict = kernel_.timedReference != nullptr;
  const bool isOnce = !onDevice || isStrict;
  const std::int64_t sets = setCount(bytes, measuredDevice_.cacheBytes, roomForTiming(kernel_),
                                     !onDevice  ? fewestSets
                                     : isStrict ? drawnSetsOfSample
                                     : rough    ? fewestSets
                                                : drawnSets,
                                     !rough   ? mostSets
                                     : isOnce ? mostRoughSetsOfSample
                                              : mostRoughSets);
  rotatesCold_ = sets * bytes >= 2 * measuredDevice_.cacheBytes;
  if (sets < fewestSets)
    notes_.push_back(fmt::format("only {} input sets: more would not fit into memory", sets));
  calls_.emplace(kernel_, std::move(contents), seed_, known_.seen);
  if (here_ > 0) calls_->referenceTakes(here_);
  {
    const SideTurn turn(kernel_.turns, Side::reference);
    WB_DO(calls_->learnSharing());
  }
  WB_DO(calls_->prepare(call, plan, sets,
                        {bytes, measuredDevice_.cacheBytes, roomForSets(bytes, roomForTiming(kernel_))}));
  // Before the kernel is called, which could take some for this to be so. What cannot be read is as good as
  // endless.
  tookMuchMemory_ = sets < fewestSets || freeMemory(kernel_.device) < freeBefore / 4 * 3;
  // What was enqueued here would go on while another one measures for whom this one waits now.
  if (measuredDevice_.device >= 0) WB_DO(synchronize(Stage::time));
  if (alone_.begin) WB_DO(alone_.begin());
  return calls_->learnPace();
}

Result<CaseTiming> CaseTimer::measure() {
  // What this process does between the calls of others is done by one thread. Those that help it would turn
  // in a circle for a few milliseconds afterwards, on the processors that the calls need.
  std::optional<OneThread> alone;
  if (kernel_.timedReference != nullptr && measuredDevice_.device < 0) alone.emplace();
  const std::string math = mathMode(kernel_.device);
  Sides sides = calls_->sides();
  sides.likelyCalls = known_.callsPerSample;
  Result<CaseTiming> timing =
      timeCase(sides, *measuredDevice_.clock, kernel_.job.timing, seed_, kernel_.stop);
  if (!timing) return timing;
  timing->math = math;
  // A rotation that is larger than the cache is read from memory each time.
  if (measuredDevice_.device >= 0) {
    const bool isOfGraphs = timing->time == "step" || timing->step.candidate > 0;
    const bool isCold = isOfGraphs ? calls_->areGraphsCold().value_or(rotatesCold_) : rotatesCold_;
    timing->stepCaches = isCold ? CacheState::cold : CacheState::hot;
  }
  if (timing->time == "step") timing->caches = timing->stepCaches;
  if (mathMode(kernel_.device) != math) notes_.emplace_back("the kernel changes torch's math settings");
  return timing;
}

/// Finds out whether the time that was taken is that of the candidate's work. Every case is asked where that
/// is cheap.
Result<void> CaseTimer::watch(CaseTiming& timing) {
  if (measuredDevice_.unwatched || measuredDevice_.watchSeconds > cheapWatchSeconds) return {};
  const auto start = std::chrono::steady_clock::now();
  Result<SeenActivity> seen =
      watchActivity(calls_->reference(0), calls_->candidate(0), measuredDevice_.device,
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
  timing.launched = std::move(seen->launched);
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

/// A kernel that fails while it is timed, where the reference does not, could keep the cases without a time
/// in which it is slow, and what it gave before would be looked at by nobody.
TimeOutcome CaseTimer::failedWhenTimed(const Error& error) {
  TimeOutcome outcome = failed(error);
  // What is no answer of a call is ours. Where what is timed has taken much of the memory itself, a kernel
  // may lack it.
  const bool isShort = tookMuchMemory_ && (error.text.find("memory") != std::string::npos ||
                                           error.text.find("bad_alloc") != std::string::npos);
  if (outcome.recheck || error.stage != Stage::check || isShort || !calls_->reference(0).run())
    return outcome;
  // The call that failed has left no answer, which is not said instead.
  outcome.recheck = recheck();
  if (outcome.recheck && outcome.recheck->verdict != Verdict::wrongCount) return outcome;
  outcome.recheck = failedRun(kernel_, error);
  outcome.recheck->message = "right when checked, fails when timed: " + outcome.recheck->message;
  return outcome;
}

std::optional<CaseCheck> CaseTimer::recheck() {
  std::optional<CaseCheck> found = calls_->wrong();
  // An operator that worked in place without a pause leaves nothing to compare with; it is called on fresh
  // inputs.
  if (!found && !calls_->lookedThroughout()) found = checkCase(kernel_, definition_, mixSeeds(seed_, 1));
  if (!found || found->verdict == Verdict::pass || found->verdict == Verdict::invalid) return std::nullopt;
  found->message = "right when checked, wrong when timed: " + found->message;
  return found;
}

TimeOutcome CaseTimer::run() {
  const Result<Literal> call = parseLiteral(definition_.args);
  if (!call) return failed(call.error());
  if (Result<void> ready = prepare(*call); !ready) return failed(ready.error());
  TimeOutcome outcome;
  Result<CaseTiming> timing = measure();
  std::string taken = measuredDevice_.constants.taken();
  if (timing && !taken.empty()) {
    // The system may have needed the memory for once. A kernel that wants it so does it again.
    measuredDevice_.constants.makePresent();
    timing = measure();
    taken = measuredDevice_.constants.taken();
  }
  takingSeconds_ = secondsToTakeMemory();
  calls_->rest();
  const std::string kept = timing ? keptAnswers(*timing, *call) : std::string();
  const std::string notFaster = timing && kept.empty() ? notFasterOnUnmet(*timing, *call) : std::string();
  if (alone_.end) alone_.end();
  if (timing && measuredDevice_.device >= 0)
    if (Result<void> watched = watch(*timing); !watched) timing = watched.error();
  calls_->rest();
  if (!timing) return failedWhenTimed(timing.error());
  // An answer to what a set held before is the right one where nothing new was written there.
  const auto missing = [&] {
    return measuredDevice_.values ? measuredDevice_.values->missing() : std::nullopt;
  };
  if (const std::optional<Error> error = missing()) return failed(*error);
  std::optional<CaseCheck> found = recheck();
  if (const std::optional<Error> error = missing()) return failed(*error);
  if (found) {
    outcome.reason = "differs on the timed inputs";
    outcome.recheck = std::move(found);
    return outcome;
  }
  if (!taken.empty()) {
    outcome.reason = fmt::format(
        "constants of {} were unmapped each time while it was timed: the kernel gives them back, or memory "
        "runs short",
        taken);
    return outcome;
  }
  if (isSlowThere(timing->reference, here_)) {
    timing->speedup = withoutInterval(timing->speedup);
    notes_.push_back(fmt::format("too noisy: the reference takes {} in its own process and {} in the judge's",
                                 formatSeconds(timing->reference), formatSeconds(here_)));
  }
  if (!notFaster.empty()) {
    timing->speedup = withoutInterval(timing->speedup);
    notes_.push_back("no speedup is said: " + notFaster);
  }
  outcome.reason = impossible(*timing);
  if (outcome.reason.empty()) outcome.reason = slowMemory(*timing);
  if (outcome.reason.empty() && calls_->givesPagesLater()) outcome.reason = withoutPages;
  if (outcome.reason.empty()) outcome.reason = calls_->goesOnAfterTheClock();
  if (outcome.reason.empty()) outcome.reason = kept;
  if (!outcome.reason.empty()) return outcome;
  calls_->candidateTakes(timing->candidate);
  calls_->finishWatch();
  if (std::string why = slowedReference(*timing, *call); !why.empty()) {
    outcome.reason = std::move(why);
    outcome.isReferenceSlowed = true;
    return outcome;
  }
  outcome.isReferenceSlowed = mayBeSlowed_;
  if (doChange_ && mayScaleAnswers(*timing))
    notes_.emplace_back("timed on inputs that differ by a factor alone");
  outcome.seen = calls_->seen();
  // A problem's own reference is whatever its author wrote.
  if (!outcome.seen.hidden.empty()) notes_.push_back(outcome.seen.hidden);
  for (const std::string& note : notes_) timing->note += (timing->note.empty() ? "" : "; ") + note;
  outcome.timing = *std::move(timing);
  return outcome;
}

TimeOutcome timeOneCase(const KernelContext& kernel, const Case& definition, MeasuredDevice& measuredDevice,
                        const KnownOfCase& known, const TimedAlone& alone) {
  try {
    LeastSeconds least;
    const auto until = std::chrono::steady_clock::now() +
                       std::chrono::duration<double>(shareForTries * kernel.job.limits.caseSeconds);
    for (int i = 1;; ++i) {
      TimeOutcome outcome = CaseTimer(kernel, definition, measuredDevice, known, alone, least).run();
      if (!outcome.isReferenceSlowed || i == timesToBeSlowed || std::chrono::steady_clock::now() > until ||
          kernel.stop.stop_requested())
        return outcome;
    }
  } catch (...) {
    TimeOutcome outcome;
    outcome.reason = exceptionText();
    const CaseCheck lost = failedRun(kernel, Error{Stage::time, outcome.reason});
    if (lost.verdict == Verdict::crashed) outcome.recheck = lost;
    return outcome;
  }
}

}  // namespace wb
