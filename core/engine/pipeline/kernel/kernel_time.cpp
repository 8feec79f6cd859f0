// SPDX-License-Identifier: Apache-2.0
// The time stage of one kernel, and what is to be said of each time.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/base/quantity.h"
#include "core/engine/check/case_run.h"
#include "core/engine/check/check_stage.h"
#include "core/engine/device/measuring_lock.h"
#include "core/engine/machine/target_facts.h"
#include "core/engine/pipeline/kernel/kernel_run.h"
#include "core/engine/pipeline/strict_kernel.h"
#include "core/model/pace.h"

namespace wb {
namespace {

/// A longer wait for another measurement is said.
constexpr double worthSayingSeconds = 0.1;
/// So long others who measure are waited for with what is only looked at.
constexpr double longestCourtesy = 1;
/// What is checked takes no longer than this, and than so many times what is timed.
constexpr double longestChecked = 1, timesLongerChecked = 1000;
/// A case whose check took long for its own size, or for the reference's sake, would take as long again.
constexpr double longCall = 0.1, timesQuicker = 10;

void note(CaseTiming& timing, const std::string& text) {
  timing.note += (timing.note.empty() ? "" : "; ") + text;
}

/// There is no time, for this reason.
void leaveOut(TimeOutcome& outcome, std::string why) {
  outcome.timing.reset();
  outcome.reason = std::move(why);
}

}  // namespace

const Case* timedCase(const PlannedCases& cases, const StageWork& work, std::uint32_t number) {
  const Case* const definition = find(cases, number);
  if (definition == nullptr || definition->use == CaseUse::check) return nullptr;
  const bool isAsked = !work.cases || std::ranges::find(*work.cases, number) != work.cases->end();
  return isAsked ? definition : nullptr;
}

void KernelRun::time(const KernelContext& kernel, const PlannedCases& cases, const StageWork& work) {
  for (const std::uint32_t i : passed_) {
    const Case* const definition = timedCase(cases, work, i);
    if (definition == nullptr) continue;
    if (!goOn()) return;
    timeOne(kernel, *definition, i);
  }
}

/// Waits until the GPU is this worker's alone. Longer waits are no part of the case's time, which begins
/// anew. Error: why nothing is timed; `isDisturbed` where the guests were started anew for it, so that all
/// has to be made ready once more.
Result<void> KernelRun::beginAlone(std::uint32_t index, TimingLock& held) {
  held.lock.reset();
  Result<MeasuringLock> alone = useAlone();
  if (!alone) return alone.error();
  held.waited += alone->waited();
  if (strict_ && !strict_->beginTiming() && !std::exchange(held.isDisturbed, true))
    return Error{Stage::time, "the kernel's process has left work on the GPU"};
  const bool hasWaited = alone->waited() > worthSayingSeconds;
  held.lock.emplace(*std::move(alone));
  if (hasWaited) say(StepStarted{Stage::time, kernel_, index});
  if (hasWaited && strict_) strict_->beginCase(Stage::time);
  return {};
}

/// The case is made ready beside those who only look at something on the GPU, and timed when it is free.
TimeOutcome KernelRun::timeAlone(const KernelContext& kernel, const Case& definition, std::uint32_t index,
                                 TimingLock& held) {
  const TimedAlone alone{
      [&] { return beginAlone(index, held); },
      [&] {
        held.lock.reset();
        held.lock.emplace(MeasuringLock::share(state_.measuredDevice.uuid, longestCourtesy, stop_));
      }};
  const auto time = [&] {
    MeasuredDevice& measured = strict_ ? strict_->measured() : state_.measuredDevice;
    return timeOneCase(kernel, definition, measured, strict_ ? strict_->knownOf(index) : KnownOfCase{},
                       alone);
  };
  TimeOutcome outcome = time();
  if (!held.isDisturbed || outcome.timing || stop_.stop_requested()) return outcome;
  // A process that is started waits with its context for those who measure.
  held.lock.emplace(use());
  strict_->startAnew();
  startCase(Stage::time, index);
  return time();
}

void KernelRun::timeOne(const KernelContext& kernel, const Case& definition, std::uint32_t index) {
  TimingLock held{use()};
  startCase(Stage::time, index);
  if (const MeasuredDevice& measured = strict_ ? strict_->measured() : state_.measuredDevice; !measured.clock)
    return say(StepDone{Stage::time, kernel_, index, NoResult{measured.noClock}});
  TimeOutcome outcome;
  if (std::string why = guard_ ? guard_->notScored() : std::string(); !why.empty())
    outcome.reason = std::move(why);
  else if (strict_ && strict_->quarantined())
    outcome.reason = strict_->leftOut().message;
  else
    outcome = timeAlone(kernel, definition, index, held);
  held.lock.reset();  // what follows does not use the device
  if (auto lost = strict_ ? strict_->lost(Stage::time) : std::nullopt) {
    leaveOut(outcome, lost->message);
    outcome.recheck = *std::move(lost);
  }
  if (std::string why = guard_ ? guard_->disturbed() : std::string(); outcome.timing && !why.empty())
    leaveOut(outcome, std::move(why));
  const auto unasked = unasked_.find(index);
  if (outcome.timing && unasked != unasked_.end() &&
      unasked->second > std::max(longCall, timesQuicker * outcome.timing->candidate))
    checkAgain(kernel, definition, outcome);
  if (std::string why = guard_ ? guard_->tampered() : std::string(); !why.empty()) {
    outcome.recheck = verdictOf(Verdict::tampered, why);
    leaveOut(outcome, std::move(why));
  }
  if (strict_ && outcome.timing)
    outcome.timing->speedup = noNarrower(outcome.timing->speedup, strict_->shareBefore(*outcome.timing));
  if (strict_ && outcome.timing)
    if (std::string why = strict_->workedOutside(*outcome.timing); !why.empty())
      leaveOut(outcome, std::move(why));
  if (stop_.stop_requested() && !outcome.timing && !outcome.recheck) return;
  if (outcome.recheck) {
    state_.poisoned = outcome.recheck->verdict == Verdict::crashed && !strict_;
    isDiscredited_ = outcome.recheck->verdict == Verdict::tampered;
    say(StepDone{Stage::time, kernel_, index, *std::move(outcome.recheck)});
  }
  if (!outcome.timing) return say(StepDone{Stage::time, kernel_, index, NoResult{outcome.reason}});
  if (strict_) strict_->remember(index, outcome.seen, outcome.timing->callsPerSample);
  const bool isAten = source().language == "aten";
  if (const std::string& op = outcome.seen.delegated; !op.empty() && !isAten && !delegated_.contains(index))
    note(*outcome.timing, fmt::format("the kernel calls {} itself when it is timed", op));
  if (held.waited > worthSayingSeconds)
    note(*outcome.timing, fmt::format("waited {} for another measurement", formatSeconds(held.waited)));
  sayTiming(*std::move(outcome.timing), index);
}

/// Who was slow when it was checked, as one is that compiles itself in its first call, was not asked for
/// more. It can be asked now, unless it knows when it is not timed.
void KernelRun::checkAgain(const KernelContext& kernel, const Case& definition, TimeOutcome& outcome) {
  const std::size_t known = elsewhere_.size();
  CaseCheck again = checkCase(kernel, definition);
  takeRemark(again);
  if (elsewhere_.size() > known) sayElsewhere();
  const double timed = outcome.timing->candidate, checked = further_.callSeconds;
  if (again.verdict != Verdict::pass && again.verdict != Verdict::invalid) {
    again.message = "right when it was first checked, and not after it was timed: " + again.message;
    outcome.recheck = std::move(again);
    leaveOut(outcome, "differs after it was timed");
  } else if (further_.wasTooSlow && checked > std::max(longestChecked, timesLongerChecked * timed)) {
    leaveOut(outcome,
             fmt::format("not scored: a call takes {} whenever it is checked, and {} when it is timed",
                         formatSeconds(checked), formatSeconds(timed)));
  }
}

void KernelRun::sayTiming(CaseTiming timing, std::uint32_t index) {
  if (strict_) timing.empty = strict_->floor();
  referenceSeconds_[index] = timing.reference;
  headlines_[index] = timing.caches;
  // Nothing but the kernel's own binary can run in its call, whatever its functions are called.
  if (!guard_ && !strict_ && source().language != "aten")
    for (RanPart& part : timing.launched)
      if (part.owner != ownedByDriver) part.owner = ownedByKernel;
  say(StepDone{Stage::time, kernel_, index, std::move(timing)});
}

}  // namespace wb
