// SPDX-License-Identifier: Apache-2.0
// What the reference comes to on the same inputs in a process in which no kernel has ever been.
#include <ATen/Parallel.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/worked_seconds.h"
#include "core/engine/check/check_stage.h"
#include "core/engine/check/judgement.h"
#include "core/engine/check/oracle.h"
#include "core/engine/check/same_answers.h"
#include "core/engine/sides/process/one_thread.h"
#include "core/engine/time/timed_calls.h"

namespace wb {
namespace {

/// Inputs of so many bytes, and at least so many sets, are given to the other process.
constexpr std::int64_t givenBytes = std::int64_t{128} << 20;
constexpr std::size_t fewestGiven = 2;
/// So many samples are taken, and more of short calls in so much time. One comes first and does not count.
constexpr std::size_t fewestSamples = 3, mostSamples = 15, uncounted = 1;
constexpr double sampledSeconds = 0.02;
/// Of a sample that takes so long one is enough, on one set.
constexpr double longSample = 0.25;
/// While the reference seems slow here, both processes are looked at in turn, so often and for so long: on a
/// busy machine one look finds others at work, and the next one does not.
constexpr int looksAtSlow = 8;
constexpr double looksSeconds = 2;

/// 0 stands for nothing.
void keepLeast(double& least, double seconds) {
  least = least > 0 ? std::min(least, seconds) : seconds;
}

/// One in four is quicker: what others take of the time, on a busy machine, makes none of them shorter.
double quickOf(std::vector<double> seconds) {
  const auto quick = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 4);
  std::nth_element(seconds.begin(), quick, seconds.end());
  return *quick;
}

}  // namespace

/// What one of the calls takes on inputs that are new, sampled as it was when it was timed. `renew` is called
/// for each set of a sample, and `wake` right before the clock begins.
Result<double> TimedCalls::sampled(Calls calls, int callsPerSample, bool isLong,
                                   const std::function<void(std::size_t set)>& renew,
                                   const std::function<void()>& wake) {
  const std::unique_ptr<Clock> clock = wallClock();
  std::vector<double> seconds;
  const std::size_t sets = calls.size();
  const int each = once() ? std::min(callsPerSample, static_cast<int>(sets)) : callsPerSample;
  const double start = steadySeconds();
  for (std::size_t i = 0; i < (isLong ? 1 : mostSamples + uncounted); ++i) {
    if (i >= fewestSamples + uncounted && steadySeconds() - start > sampledSeconds) break;
    const std::size_t first = random_() % sets, used = std::min(sets, static_cast<std::size_t>(each));
    for (std::size_t set = first; set < first + used; ++set) renew(set % sets);
    if (wake) wake();
    WB_TRY(const Sampled sample, clock->sample(calls, first, each));
    if (i >= uncounted || isLong) seconds.push_back(sample.seconds);
  }
  return quickOf(std::move(seconds));
}

Result<ReferenceThere> TimedCalls::referenceThere(const ReferenceApart& apart, const Literal& call,
                                                  const OutputPlan& plan, const CaseTiming& timed,
                                                  const std::function<double(double there)>& most) {
  ReferenceThere there;
  const int callsPerSample = timed.callsPerSample;
  const bool isLong = timed.reference * callsPerSample > longSample;
  // The candidate could have made of its own tensors what no other process can be given.
  std::vector<InputCopy> copies;
  std::vector<std::unique_ptr<PreparedCall>> calls;
  std::int64_t given = 0;
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    given += contents_.bytes();
    if (calls.size() >= (isLong ? 1 : fewestGiven) && (isLong || given > givenBytes)) break;
    copies.push_back(contents_.copy(random_()));
    WB_TRY(auto prepared, apart.reference->prepare({call, copies.back().arguments}, plan));
    // Each keeps its result, and takes new memory for it the first time.
    WB_DO(prepared->run());
    calls.push_back(std::move(prepared));
  }
  const auto renewCopy = [&](std::size_t set) {
    contents_.renew(copies[set], random_(), random_(), std::numeric_limits<std::int64_t>::max());
  };
  there.hasAllSets = calls.size() == sets_.size();
  std::vector<std::unique_ptr<PreparedCall>> here;
  // The sides take turns here, too: whatever slows the reference may last for its next call alone.
  std::optional<OneThread> alone;
  bool isAlone = false;
  const auto takeTurn = [&] {
    alone.reset();
    std::optional<SideStates::Candidate> own;
    if (kernel_.states != nullptr) own.emplace(*kernel_.states);
    (void)sets_.front().candidate->run();
    rest();
    tellSide(kernel_, Side::reference);
    own.reset();
    if (isAlone) alone.emplace();
  };
  const double start = steadySeconds();
  for (int look = 0; look < looksAtSlow; ++look) {
    WB_TRY(const double took, sampled(calls, callsPerSample, isLong, renewCopy, apart.wake));
    keepLeast(there.seconds, std::max(0.0, took - apart.orderSeconds));
    if (look == 0 && there.hasAllSets && timed.reference < most(there.seconds)) break;
    for (std::size_t set = here.size(); set < copies.size(); ++set) {
      const SideTurn turn(kernel_.turns, Side::reference);
      here.push_back(prepareReference(kernel_.op, argumentsOverSameMemory(copies[set].arguments)));
      WB_DO(here.back()->run());
    }
    WB_TRY(const double tookHere, sampled(here, callsPerSample, isLong, renewCopy, takeTurn));
    keepLeast(there.here, tookHere);
    if (there.here < most(there.seconds)) break;
    if (apart.hasOneThread && at::get_num_threads() > 1) {
      isAlone = true;
      WB_TRY(const double tookAlone, sampled(here, callsPerSample, isLong, renewCopy, takeTurn));
      isAlone = false;
      alone.reset();
      keepLeast(there.hereAlone, tookAlone);
      if (there.hereAlone < most(there.seconds)) break;
    }
    if (steadySeconds() - start > looksSeconds || kernel_.stop.stop_requested()) break;
  }
  if (!here.empty()) tellSide(kernel_, std::nullopt);
  // Not every answer can be had from another process.
  if (const auto same = isRandom_ ? Result<bool>(true) : answersAlike(*calls.front(), copies.front()); same)
    there.isSame = *same;
  return there;
}

/// Whether the reference here makes of a copy's contents what it makes of them there.
Result<bool> TimedCalls::answersAlike(PreparedCall& there, InputCopy& given) {
  contents_.renew(given, random_(), random_(), std::numeric_limits<std::int64_t>::max());
  contents_.repeat(given.seeds, scratch_);
  const SideTurn turn(kernel_.turns, Side::reference);
  WB_DO(there.run());
  WB_TRY(const Stack theirs, there.outputs());
  const Stack answer = cloneArguments(this->answer(theirs, given));
  const auto here = prepareReference(kernel_.op, scratch_.arguments);
  WB_DO(here->run());
  WB_TRY(const Stack ours, here->outputs());
  const Stack own = this->answer(ours, scratch_);
  if (surelyClose({&answer, 1}, {&own, 1}, kernel_.tolerance())) return true;
  contents_.repeat(given.seeds, scratch_);
  const CaseCheck judged = judge(kernel_, scratch_.arguments, answer, own, OracleUse::whereNeeded);
  return judged.verdict == Verdict::pass || judged.verdict == Verdict::invalid;
}

}  // namespace wb
