// SPDX-License-Identifier: Apache-2.0
// Whether a time that was taken is that of the candidate's work, and the reference's that of its own.
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "core/base/quantity.h"
#include "core/engine/cases/device_room.h"
#include "core/engine/check/random_operators.h"
#include "core/engine/reference/seed.h"
#include "core/engine/sides/process/thread_team.h"
#include "core/engine/time/case_timer.h"
#include "core/engine/time/cross_checks/reference_pace.h"
#include "core/engine/time/cross_checks/taken_memory.h"
#include "core/engine/time/cross_checks/unmet_inputs.h"
#include "core/engine/time/cross_checks/unmet_samples.h"
#include "core/model/pace.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

/// So many sizes are looked at of the memory that a call takes.
constexpr int mostLooks = 24;
/// They are looked at again, so many times in all, while that seems slow: pieces stay, and others who have
/// the processor do not.
constexpr int looksAtSlowMemory = 5;
/// To find memory takes so much longer than usual before anybody looks again or says so, in seconds.
constexpr double leastTaking = 2e-7;
/// What finding a block takes anyway. A look finds none at once, as many calls of an operator do that take
/// and give back many, and the first page of a large one has to be fetched.
constexpr double usualForFew = 4e-7, usualForMany = 2e-6, usualForLarge = 5e-6;
constexpr std::size_t fewBlocks = 2, largeBlock = std::size_t{2} << 20;
/// A reference that takes so many times longer beside the kernel than it does alone, and so many seconds, is
/// slowed; more where alone it finds more of its inputs in the cache.
constexpr double slowedTimes = 1.3, slowedTimesFromCache = 4, slowedSeconds = 1.5e-7;
/// Where there are several threads here and one there, short operators ask here whether they need them.
constexpr double slowedByThreads = 1.5e-6;
/// So often a reference is recorded again while it seems slow.
constexpr int looksAtSlow = 3;
/// The same where that may be a busy host's, which is at it for longer.
constexpr int looksAtSlowHost = 15;
/// A quicker call of the reference is little more than the call itself; less so where many are in a row.
constexpr double shortestScaled = 2e-5, shortestInRow = 4e-6;
/// The first of the draws that nothing else is made of.
constexpr std::uint64_t unmetDraw = 1000;

}  // namespace

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

double CaseTimer::secondsToTakeMemory() const {
  if (kernel_.device != "cpu" || kernel_.timedReference != nullptr) return 0;
  std::map<std::size_t, int> blocks;
  for (const std::size_t bytes : calls_->allocated()) ++blocks[bytes];
  const bool areFew = calls_->allocated().size() <= fewBlocks;
  const auto look = [&] {
    double seconds = 0;
    // The largest first: an operator of many steps takes hundreds of small ones.
    int looks = 0;
    for (auto block = blocks.rbegin(); block != blocks.rend() && looks < mostLooks; ++block, ++looks) {
      const auto& [bytes, count] = *block;
      const double usual = bytes >= largeBlock ? usualForLarge : areFew ? usualForFew : usualForMany;
      seconds += count * std::max(0.0, wb::secondsToTakeMemory(bytes) - usual);
    }
    return seconds;
  };
  double least = look();
  for (int again = 1; again < looksAtSlowMemory && least >= leastTaking; ++again)
    least = std::min(least, look());
  return least;
}

/// Says that the reference pays for how the kernel has left the heap; "" where it does not.
std::string CaseTimer::slowMemory(const CaseTiming& timing) const {
  constexpr double worthNaming = 1.0 / 8;
  if (takingSeconds_ < std::max(leastTaking, worthNaming * timing.reference)) return {};
  return fmt::format(
      "of the reference's {} the C library takes {} longer than usual to find memory for it, since the "
      "kernel leaves so many free pieces",
      formatSeconds(timing.reference), formatSeconds(takingSeconds_));
}

/// Whether answers could be made of earlier ones, and nothing shows whether they are.
bool CaseTimer::mayScaleAnswers(const CaseTiming& timing) const {
  const bool isAsked = definition_.values == "own" && kernel_.ownInputsVary;
  return areOnlyScaled_ && !isAsked && timing.reference >= shortestScaled;
}

/// Whether both sides can be asked anew.
bool CaseTimer::canDrawAnew(const Literal& call) const {
  constexpr std::int64_t mostBytes = std::int64_t{1} << 30;
  return definition_.values == "own" && kernel_.ownInputsVary && tensorBytes(call) <= mostBytes;
}

std::string_view CaseTimer::howTimedAreAlike() const {
  return !doChange_          ? "which stay the same"
         : areOnlyScaled_    ? "which differ by a factor alone"
         : !holdSameNumbers_ ? "whose numbers come again at other places"
                             : "of which some stay the same";
}

/// Says that on a GPU the kernel takes much longer for inputs that it has not met, where the reference does
/// not, or has no right answer to them; "" where it has, or that cannot be known. Of the CPU's kernels
/// notFasterOnUnmet() says so.
std::string CaseTimer::keptAnswers(const CaseTiming& timing, const Literal& call) const {
  constexpr std::uint64_t tries = 5, mostTries = 25;
  constexpr double longest = 0.5;
  constexpr double times = 2.5, anOrder = 2e-4;
  if (kernel_.device == "cpu") return {};
  if (!holdSameNumbers_ || timing.reference < shortestScaled || !canDrawAnew(call)) return {};
  // Each is interrupted now and then on a busy machine, and several one after the other where they are so
  // short that others have the processors for all of them.
  const auto start = std::chrono::steady_clock::now();
  const auto isEnough = [&](std::uint64_t tried) {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    return tried >= mostTries || (tried >= tries && taken.count() > longest);
  };
  double reference = std::numeric_limits<double>::infinity();
  std::vector<double> taken;
  for (std::uint64_t i = 0; !isEnough(i); ++i) {
    if (kernel_.stop.stop_requested()) return {};
    const Result<UnmetCall> unmet =
        callOnUnmet(kernel_, definition_, call, plan_, mixSeeds(seed_, unmetDraw + i));
    if (!unmet) return {};
    if (!unmet->wrong.empty())
      return fmt::format("for inputs that it has not met the kernel {}", unmet->wrong);
    taken.push_back(unmet->candidate);
    reference = std::min(reference, unmet->reference);
    // What it takes to be called with other memory for the first time, the reference shows, once it was not
    // interrupted in one call at least: a single one of several milliseconds would excuse everything.
    const double firstTime = i + 1 < tries ? 0 : std::max(0.0, reference - timing.reference);
    // An order takes its own time.
    const double most = times * timing.candidate + anOrder + firstTime;
    const auto quick =
        std::count_if(taken.begin(), taken.end(), [=](double seconds) { return seconds < most; });
    // One input of a few that there are may have been met before. Another process that uses a GPU has to wake
    // first, which takes longer now and then.
    const bool isMostly = kernel_.timedReference != nullptr ||
                          (quick > 1 && 2 * static_cast<std::size_t>(quick) > taken.size());
    if (quick > 0 && isMostly) return {};
  }
  const double usual = median(taken);
  if (times * reference * timing.candidate > usual * timing.reference) return {};
  return fmt::format(
      "for inputs that it has not met the kernel takes {}, where those that were timed, {}, took {}",
      formatSeconds(usual), howTimedAreAlike(), formatSeconds(timing.candidate));
}

/// Says that a kernel which is faster on timed inputs, whose numbers come again in some way, is not for
/// inputs that it has not met; "" where it is, or that cannot be known. It may lose what keptAnswers() lets
/// pass.
std::string CaseTimer::notFasterOnUnmet(const CaseTiming& timing, const Literal& call) const {
  constexpr double claimed = 1.05, longest = 1.5, longestOfAll = 10;
  constexpr double leastGainOnDevice = 1e-3, waking = 1e-4;
  constexpr std::size_t fewestTries = 3, tries = 10, mostTries = 25;
  if (!hasInterval(timing.speedup) || timing.speedup.ratio < claimed) return {};
  if (timing.reference < shortestInRow || !canDrawAnew(call)) return {};
  // On a GPU a call from the host takes other things than its clocks count.
  if (measuredDevice_.device >= 0 && timing.reference - timing.candidate < leastGainOnDevice) return {};
  const int calls = callsInRow(timing.candidate, tensorBytes(call));
  // So much longer it takes a process that uses a GPU now and then until others let it.
  UnmetSamples samples(timing, kernel_.device == "cpu" ? 0 : waking);
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < mostTries; ++i) {
    if (kernel_.stop.stop_requested()) return {};
    const Result<UnmetCall> unmet =
        callsOnUnmet(kernel_, definition_, call, plan_, mixSeeds(seed_, unmetDraw + mostTries + i), calls);
    if (!unmet) return {};
    if (!unmet->wrong.empty())
      return fmt::format("for inputs that it has not met the kernel {}", unmet->wrong);
    samples.add(unmet->reference, unmet->candidate);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    // Others have the processors now and then: what is not clear is tried again.
    const bool isEnough = samples.count() >= tries
                              ? samples.areClear() || taken.count() > longest
                              : samples.count() >= fewestTries && taken.count() > longestOfAll;
    if (isEnough) break;
  }
  if (!samples.loseSpeedup()) return {};
  return fmt::format(
      "for inputs that it has not met the kernel takes {} and the reference {}, where those that were timed, "
      "{}, took {} and {}",
      formatSeconds(samples.candidate()), formatSeconds(samples.reference()), howTimedAreAlike(),
      formatSeconds(timing.candidate), formatSeconds(timing.reference));
}

/// Whether the reference is slower than it was before the kernel's code was there. Nothing where that was not
/// looked at.
SlowedReference CaseTimer::slowedSinceLoaded(const CaseTiming& timing) {
  const std::optional<RecordedTime> before =
      kernel_.referenceBefore ? kernel_.referenceBefore(definition_) : std::nullopt;
  if (!before) return {};
  // The sides take turns, since what slows the reference may last for its next call alone; one look may find
  // others at work. Whoever has made records impossible meanwhile is left with the headline.
  RecordedTime least;
  SlowedReference slowed;
  for (int look = 0; look < looksAtSlow || (look < looksAtSlowHost && slowed.isStill && least.busy > 0);
       ++look) {
    const RecordedTime now =
        measuredDevice_.clock->recorded(calls_->reference(0), [&] { return calls_->candidate(0).run(); })
            .value_or(RecordedTime{});
    if (now.busy > 0)
      least = least.busy == 0 ? now
                              : RecordedTime{std::min(least.busy, now.busy), std::min(least.span, now.span)};
    slowed = slowedSince(timing, *before, least);
    if (slowed.words.empty()) break;
  }
  return slowed;
}

/// Others have taken the time on a busy machine, or the kernel does so now and then: no ratio is said.
void CaseTimer::sayTooNoisy(CaseTiming& timing, const std::string& slow) {
  mayBeSlowed_ = true;
  timing.speedup = withoutInterval(timing.speedup);
  notes_.push_back("too noisy: " + slow);
}

/// Says that the reference is slower, or another one, here than in a process in which no kernel has ever
/// been; "" where it is not, or where that does not make the kernel look faster than it is. Where it is not
/// slower right after, that is noise.
std::string CaseTimer::slowedReference(CaseTiming& timing, const Literal& call) {
  if (timing.speedup.low <= 1) return {};
  const SlowedReference since = slowedSinceLoaded(timing);
  if (since.isStill) return since.words;
  if (!since.words.empty()) sayTooNoisy(timing, since.words);
  if (!kernel_.referenceApart) return {};
  const Result<ReferenceApart> apart = kernel_.referenceApart();
  if (!apart) return describe(apart.error());
  const bool hasOthers = apart->hasOneThread && at::get_num_threads() > 1;
  const auto mostHere = [&](double there) {
    return slowedTimes * std::min(least_.there, there) + (hasOthers ? slowedByThreads : slowedSeconds);
  };
  const Result<ReferenceThere> there = calls_->referenceThere(*apart, call, plan_, timing, mostHere);
  if (!there) {
    if (const auto still = kernel_.referenceApart(); !still) return describe(still.error());
    // Not every argument can be given to another process.
    return there.error().stage == Stage::setup ? describe(there.error()) : std::string();
  }
  if (!there->isSame)
    return "the reference gives another answer in this process than in one in which no kernel has ever been";
  least_.there = std::min(least_.there, there->seconds);
  const double most = mostHere(least_.there);
  if (there->here > 0) least_.here = std::min(least_.here, there->here);
  bool isSlowHere = there->here > 0 && least_.here >= most,
       wasSlow = timing.reference >= (there->hasAllSets ? most : slowedTimesFromCache * least_.there);
  // Many a small operator takes longer with two threads than with one. Where it takes no longer here with
  // one, and the threads themselves do what they did, nothing is slow but what they take.
  if (there->hereAlone > 0) least_.hereAlone = std::min(least_.hereAlone, there->hereAlone);
  if (isSlowHere && least_.hereAlone < most && !isTeamSlow(measuredDevice_.teamSeconds)) {
    isSlowHere = false;
    wasSlow = timing.reference >= slowedTimes * least_.here + slowedByThreads;
  }
  if (!isSlowHere && !wasSlow) return {};
  std::string slow = fmt::format(
      "the reference takes {} beside this kernel, and {} in a process in which no kernel has ever been",
      formatSeconds(wasSlow ? timing.reference : std::max(least_.here, timing.reference)),
      formatSeconds(least_.there));
  if (isSlowHere) return slow;
  sayTooNoisy(timing, slow);
  return {};
}

}  // namespace wb
