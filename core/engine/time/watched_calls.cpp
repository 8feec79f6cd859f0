// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/watched_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/quantity.h"
#include "core/engine/call_elsewhere.h"
#include "core/engine/sides/operator_watch.h"
#include "core/engine/sides/process/launch_places.h"
#include "core/engine/sides/process/one_thread.h"
#include "core/engine/sides/process/own_traps.h"

namespace wb {
namespace {

/// A look takes so long, or one call; there are no more than so many of a side.
constexpr double lookSeconds = 4e-4;
constexpr int mostLooks = 12;
/// A last look takes longer. Where the code was seen less often than this, as that of threads for which the
/// caller waits, it is made a few times.
constexpr std::size_t enoughSeen = 60;
constexpr double lastLookSeconds = 4e-3;
constexpr int mostLastLooks = 12;
/// On a busy machine the thread that asks for looks has to wait for a processor itself.
constexpr int mostTimedLooks = 60;
/// Of a call that is made in another process only a few are worth having; where a GPU works for it, the
/// host's part is the same each time.
constexpr int lastLooksThere = 4, lastLooksOnGpu = 2;
/// A smaller share may be chance, or what every call of torch's needs.
constexpr double worthSaying = 0.2;
/// Two shares that were measured apart differ by some chance.
constexpr double worthDoubt = 0.4;
/// A share that is nearer to that is made sure of by so many looks, and by more attempts at them.
constexpr double nearDoubt = 0.15;
constexpr std::size_t surelySeen = 240;
constexpr int timesAsManyLooks = 3;
/// To start a thread holds signals off for a moment, too.
constexpr double mostHeldOff = 0.6;
/// A caller that waits in the system for a larger share of its time may let others work meanwhile.
constexpr double worthAnotherLook = 0.1;
/// So many calls are looked at from outside, and as many that nobody observes.
constexpr int callsFromOutside = 2;
/// So many calls are looked at that have inputs of their own, of one that takes long a single one.
constexpr int callsOnUnmet = 3;
constexpr double longCall = 0.05;
/// A kernel that seems to work alone is looked at from outside in one of so many cases.
constexpr unsigned timesToLookOnce = 2;

}  // namespace

bool WatchedCalls::isChosen(bool candidate) {
  const std::size_t side = candidate ? 1 : 0;
  if (random_() % ++samples_[side] != 0 || looks_[side] >= mostLooks) return false;
  ++looks_[side];
  return true;
}

bool WatchedCalls::looksInNext() {
  if (!unforeseen_ || timedLooks_ >= mostLooks || random_() % ++timedSamples_ != 0) return false;
  ++timedLooks_;
  return true;
}

Result<void> WatchedCalls::runOnGpu(PreparedCall& call) {
  if (!works() || isThere() || !delegated_.empty() || !isChosen(true)) return call.run();
  const SideStates::Candidate apart(*kernel_.states);
  const OperatorWatch watch(kernel_.op.schema().name());
  const auto start = std::chrono::steady_clock::now();
  Result<void> done = call.run();
  delegated_ =
      delegatedTo(kernel_.op.schema().name(),
                  watch.ran(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()));
  return done;
}

void WatchedCalls::perhaps(bool candidate, PreparedCall& call, const Renew& renew) {
  if (!works() || (!onHost() && !isThere()) || !isChosen(candidate)) return;
  if (candidate && (random_() & 1) != 0) lookUnobserved(call, lookSeconds);
  look(candidate, call, lookSeconds, renew);
}

/// Sees which operators it calls for inputs that it has not met.
void WatchedCalls::lookAtUnmet(PreparedCall& call, const Renew& renew) {
  const SideStates::Candidate apart(*kernel_.states);
  double seconds = 0;
  for (int i = 0; i < callsOnUnmet && delegated_.empty() && seconds < longCall; ++i) {
    renew();
    const OperatorWatch watch(kernel_.op.schema().name());
    seconds = runFor(call, 0).seconds;
    delegated_ = delegatedTo(kernel_.op.schema().name(), watch.ran(seconds));
  }
}

void WatchedCalls::finish(PreparedCall& reference, PreparedCall& candidate, const Renew& renew) {
  if (!works()) return;
  if (!isThere()) lookAtUnmet(candidate, renew);
  if (!onHost() && !isThere()) {
    samples_ = {};
    looks_ = {};
    (void)runOnGpu(candidate);
    if (delegated_.empty()) lookAtLaunches(reference, candidate);
    return;
  }
  const int most = !isThere() ? mostLastLooks : onHost() ? lastLooksThere : lastLooksOnGpu;
  for (const bool isCandidate : {false, true})
    for (int i = 0; i == 0 || (i < most && seen_[isCandidate ? 1 : 0].looks < enoughSeen); ++i)
      look(isCandidate, isCandidate ? candidate : reference, lastLookSeconds, renew);
  for (int i = 0; i == 0 || isWorthMore(unobserved_, i, most); ++i)
    lookUnobserved(candidate, lastLookSeconds);
  for (int i = 0; unforeseen_ && isWorthMore(timed_, i, mostTimedLooks); ++i) {
    renew();
    const SideStates::Candidate apart(*kernel_.states);
    beginLookInSample();
    runFor(candidate, lastLookSeconds);
    endLookInSample();
  }
  // A kernel sees that this process looks at it, so that some are looked at from outside for no reason.
  const bool isDrawn = random_() % timesToLookOnce == 0;
  if (!isThere() && (mayLetOthersWork() || isDrawn) && delegated_.empty() && hidden().empty())
    lookFromOutside(reference, candidate);
}

bool WatchedCalls::isWorthMore(const SeenCode& seen, int looks, int most) const {
  if (seen.looks < enoughSeen) return looks < most;
  return std::abs(sharedCode(seen, seen_[0]) - worthDoubt) < nearDoubt && seen.looks < surelySeen &&
         looks < timesAsManyLooks * most;
}

bool WatchedCalls::mayLetOthersWork() const {
  const SeenCode& seen = seen_[1];
  return static_cast<double>(seen.waits) > worthAnotherLook * static_cast<double>(seen.interruptions) ||
         !kernel_.states->threads().empty();
}

/// Where the reference spends its time. It works with one thread meanwhile, since with more of them little
/// but their waits for each other is seen on a busy machine.
std::vector<HotCode> WatchedCalls::hotCode(PreparedCall& reference) {
  const OneThread alone;
  SeenCode seen;
  std::vector<HotCode> hot;
  for (int i = 0; hot.empty() && i < mostLastLooks; ++i) {
    CodeSamples samples;
    const Stretch stretch = runFor(reference, lastLookSeconds);
    seen.add(samples.take());
    if (stretch.calls == 0) break;
    referenceSeconds_ = std::min(referenceSeconds_, stretch.seconds / stretch.calls);
    hot = hotCodeOf(seen, referenceSeconds_);
  }
  return hot;
}

/// Other threads are looked at while the caller waits in the system. On a busy machine one that works for it
/// may never be met then, nor one that lets no signal in, or for which the caller waits in a loop. To traps
/// it does not matter when it works.
void WatchedCalls::lookFromOutside(PreparedCall& reference, PreparedCall& call) {
  hot_ = hotCode(reference);
  std::vector<std::uint64_t> places;
  for (const HotCode& each : hot_) places.push_back(each.place);
  const SideStates::Candidate apart(*kernel_.states);
  const std::unique_ptr<OwnTraps> traps = OwnTraps::at(std::move(places), kernel_.ownForkWorked);
  for (int i = 0; traps && i < callsFromOutside; ++i) {
    const auto unobserved = traps->during([&] { (void)call.run(); });
    if (!unobserved) return;
    seenThere_.unobserved.add(*unobserved);
    const OperatorWatch watch(kernel_.op.schema().name());
    double seconds = 0;
    const auto observed = traps->during([&] { seconds = runFor(call, 0).seconds; });
    if (!observed) return;
    seenThere_.addObserved(*observed, watch.ran(seconds));
  }
}

/// On a GPU it tells what runs from where in torch's code it is launched, and whether in an operator.
void WatchedCalls::lookAtLaunches(PreparedCall& reference, PreparedCall& call) {
  looks_[1] = mostLooks;  // here the calls are looked at
  {
    const LaunchPlaces places;
    if (runFor(reference, 0).calls == 0) return;
    for (const LaunchPlace& each : places.taken()) hot_.push_back({each.at, launchSeconds});
  }
  const auto reached = [](const LaunchPlaces& places) {
    std::set<std::uint64_t> all;
    for (const LaunchPlace& each : places.taken()) all.insert(each.at);
    return all;
  };
  const auto isHidden = [this](const LaunchPlace& launch) {
    return launch.isHidden && std::any_of(hot_.begin(), hot_.end(),
                                          [&](const HotCode& each) { return each.place == launch.at; });
  };
  const SideStates::Candidate apart(*kernel_.states);
  for (int i = 0; i < callsFromOutside; ++i) {
    {
      const LaunchPlaces places;
      (void)runFor(call, 0);
      seenThere_.unobserved.add(reached(places));
    }
    const OperatorWatch watch(kernel_.op.schema().name());
    const LaunchPlaces places;
    const Stretch stretch = runFor(call, 0);
    const std::vector<LaunchPlace> taken = places.taken();
    const bool any = std::any_of(taken.begin(), taken.end(), isHidden);
    seenThere_.addObserved(reached(places), any ? std::vector<RanPart>() : watch.ran(stretch.seconds));
  }
}

/// A kernel can ask torch whether anybody observes its calls. In such a look nobody does, so that it does not
/// matter who called the code that is seen.
void WatchedCalls::lookUnobserved(PreparedCall& call, double atLeast) {
  if (isThere()) return;
  const SideStates::Candidate apart(*kernel_.states);
  CodeSamples samples;
  runFor(call, atLeast);
  unobserved_.add(samples.take());
}

WatchedCalls::Stretch WatchedCalls::runFor(PreparedCall& call, double atLeast) {
  const auto start = std::chrono::steady_clock::now();
  Stretch stretch;
  do {
    if (!call.run()) break;  // the next sample says why
    ++stretch.calls;
    stretch.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  } while (stretch.seconds < atLeast);
  return stretch;
}

void WatchedCalls::lookThere(bool candidate, PreparedCall& call, const Renew& renew) {
  CallElsewhere* const there = elsewhere(call);
  if (there == nullptr) return;
  if (!candidate) {
    if (!hot_.empty()) return;
    there->sampleNext();
    if (call.run()) hot_ = there->hotCodeThere();
    for (HotCode& each : hot_) each.seconds = std::min(each.seconds, referenceSeconds_);
    return;
  }
  if (!delegated_.empty()) return;
  renew();
  if (!hot_.empty()) {
    there->trapNext(hot_);
    if (!call.run()) return;  // the next sample says why
    if (const auto reached = there->reachedThere()) seenThere_.unobserved.add(*reached);
  }
  renew();
  there->trapNext(hot_);
  there->watchNext();
  if (!call.run()) return;
  const std::vector<RanPart> ran = there->ranThere().parts;
  if (const auto reached = there->reachedThere()) seenThere_.addObserved(*reached, ran);
  delegated_ = delegatedTo(kernel_.op.schema().name(), ran);
}

void WatchedCalls::look(bool candidate, PreparedCall& call, double atLeast, const Renew& renew) {
  if (isThere()) return lookThere(candidate, call, renew);
  std::optional<SideStates::Candidate> apart;
  if (candidate) apart.emplace(*kernel_.states);
  const OperatorWatch watch(kernel_.op.schema().name());
  CodeSamples samples;
  const Stretch stretch = runFor(call, atLeast);
  seen_[candidate ? 1 : 0].add(samples.take());
  if (!candidate && stretch.calls > 0)
    referenceSeconds_ = std::min(referenceSeconds_, stretch.seconds / stretch.calls);
  if (candidate && delegated_.empty())
    delegated_ = delegatedTo(kernel_.op.schema().name(), watch.ran(stretch.seconds));
}

std::string WatchedCalls::hidden() const {
  if (isThere() || !onHost())
    return hiddenThere(seenThere_, hot_, kernel_.op.schema().name(), candidateSeconds_);
  const double share = hiddenShare(seen_[1], seen_[0]);
  const double unseen = heldOffShare(seen_[1]);
  if (unseen > mostHeldOff)
    return fmt::format("the kernel keeps signals away for {} of its time, so that nobody sees what runs",
                       formatPercent(unseen));
  const double timed = sharedCode(timed_, seen_[0]);
  if (delegated_.empty() && timed - sharedCode(seen_[1], seen_[0]) > worthDoubt)
    return fmt::format("the kernel spends {} of its time in torch's own code for {} when it is timed",
                       formatPercent(timed), kernel_.op.schema().name());
  const double unobserved = sharedCode(unobserved_, seen_[0]);
  // Of one that was seen to call it openly, a difference is chance.
  if (delegated_.empty() && unobserved - sharedCode(seen_[1], seen_[0]) > worthDoubt)
    return fmt::format("the kernel spends {} of its time in torch's own code for {} when nobody observes it",
                       formatPercent(unobserved), kernel_.op.schema().name());
  if (share < worthSaying)
    return hiddenThere(seenThere_, hot_, kernel_.op.schema().name(), candidateSeconds_);
  return fmt::format("the kernel spends {} of its time in torch's own code for {}, past torch's dispatcher",
                     formatPercent(share), kernel_.op.schema().name());
}

}  // namespace wb
