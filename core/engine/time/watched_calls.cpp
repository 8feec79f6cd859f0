// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/watched_calls.h"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/quantity.h"
#include "core/engine/call_elsewhere.h"
#include "core/engine/sides/operator_watch.h"

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
/// Of a call that is made in another process only a few are worth having.
constexpr int lastLooksThere = 4;
/// A smaller share may be chance, or what every call of torch's needs.
constexpr double worthSaying = 0.2;
/// Two shares that were measured apart differ by some chance.
constexpr double worthDoubt = 0.4;
/// To start a thread holds signals off for a moment, too.
constexpr double mostHeldOff = 0.6;

}  // namespace

void WatchedCalls::perhaps(bool candidate, PreparedCall& call) {
  if (!works()) return;
  const std::size_t side = candidate ? 1 : 0;
  // Of n samples about ln(n) are followed by a look, later ones as likely as earlier ones on a scale of
  // logarithms.
  if (random_() % ++samples_[side] != 0 || looks_[side] >= mostLooks) return;
  ++looks_[side];
  if (candidate && (random_() & 1) != 0) lookUnobserved(call, lookSeconds);
  look(candidate, call, lookSeconds);
}

void WatchedCalls::finish(PreparedCall& reference, PreparedCall& candidate) {
  if (!works()) return;
  const int most = isThere() ? lastLooksThere : mostLastLooks;
  for (const bool isCandidate : {false, true})
    for (int i = 0; i == 0 || (i < most && seen_[isCandidate ? 1 : 0].looks < enoughSeen); ++i)
      look(isCandidate, isCandidate ? candidate : reference, lastLookSeconds);
  for (int i = 0; i == 0 || (i < most && unobserved_.looks < enoughSeen); ++i)
    lookUnobserved(candidate, lastLookSeconds);
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

/// Gives how long it was.
double WatchedCalls::runFor(PreparedCall& call, double atLeast) {
  const auto start = std::chrono::steady_clock::now();
  double seconds = 0;
  while (seconds < atLeast) {
    if (!call.run()) break;  // the next sample says why
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return seconds;
}

void WatchedCalls::lookThere(bool candidate, PreparedCall& call) {
  CallElsewhere* const there = elsewhere(call);
  if (there == nullptr) return;
  if (!candidate) {
    if (!hot_.empty()) return;
    there->sampleNext();
    if (call.run()) hot_ = there->hotCodeThere();
    return;
  }
  if (!delegated_.empty()) return;
  if (!hot_.empty()) {
    there->trapNext(hot_);
    if (!call.run()) return;  // the next sample says why
    if (const auto reached = there->reachedThere()) seenThere_.unobserved.add(*reached);
  }
  there->trapNext(hot_);
  there->watchNext();
  if (!call.run()) return;
  const std::vector<RanPart> ran = there->ranThere().parts;
  if (const auto reached = there->reachedThere()) seenThere_.addObserved(*reached, ran);
  delegated_ = delegatedTo(kernel_.op.schema().name(), ran);
}

void WatchedCalls::look(bool candidate, PreparedCall& call, double atLeast) {
  if (isThere()) return lookThere(candidate, call);
  std::optional<SideStates::Candidate> apart;
  if (candidate) apart.emplace(*kernel_.states);
  const OperatorWatch watch(kernel_.op.schema().name());
  CodeSamples samples;
  const double seconds = runFor(call, atLeast);
  seen_[candidate ? 1 : 0].add(samples.take());
  if (candidate && delegated_.empty())
    delegated_ = delegatedTo(kernel_.op.schema().name(), watch.ran(seconds));
}

std::string WatchedCalls::hidden() const {
  if (isThere()) return hiddenThere(seenThere_, hot_, kernel_.op.schema().name());
  const double share = hiddenShare(seen_[1], seen_[0]);
  const double unseen = heldOffShare(seen_[1]);
  if (unseen > mostHeldOff)
    return fmt::format("the kernel keeps signals away for {} of its time, so that nobody sees what runs",
                       formatPercent(unseen));
  const double unobserved = sharedCode(unobserved_, seen_[0]);
  if (unobserved - sharedCode(seen_[1], seen_[0]) > worthDoubt)
    return fmt::format("the kernel spends {} of its time in torch's own code for {} when nobody observes it",
                       formatPercent(unobserved), kernel_.op.schema().name());
  if (share < worthSaying) return {};
  return fmt::format("the kernel spends {} of its time in torch's own code for {}, past torch's dispatcher",
                     formatPercent(share), kernel_.op.schema().name());
}

}  // namespace wb
