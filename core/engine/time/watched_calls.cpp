// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/watched_calls.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "core/base/quantity.h"
#include "core/engine/sides/operator_watch.h"

namespace wb {
namespace {

/// A look takes so long, or one call; there are no more than so many of a side.
constexpr double lookSeconds = 4e-4;
constexpr int mostLooks = 12;
/// A last look takes longer. Where the code was seen less often than this, it is made a few times.
constexpr std::size_t enoughSeen = 60;
constexpr double lastLookSeconds = 4e-3;
constexpr int mostLastLooks = 4;
/// A smaller share may be chance, or what every call of torch's needs.
constexpr double worthSaying = 0.2;

}  // namespace

void WatchedCalls::perhaps(bool candidate, PreparedCall& call) {
  if (!works()) return;
  const std::size_t side = candidate ? 1 : 0;
  // Of n samples about ln(n) are followed by a look, later ones as likely as earlier ones on a scale of
  // logarithms.
  if (random_() % ++samples_[side] != 0 || looks_[side] >= mostLooks) return;
  ++looks_[side];
  look(candidate, call, lookSeconds);
}

void WatchedCalls::finish(PreparedCall& reference, PreparedCall& candidate) {
  if (!works()) return;
  for (const bool isCandidate : {false, true})
    for (int i = 0; i == 0 || (i < mostLastLooks && seen_[isCandidate ? 1 : 0].looks < enoughSeen); ++i)
      look(isCandidate, isCandidate ? candidate : reference, lastLookSeconds);
}

void WatchedCalls::look(bool candidate, PreparedCall& call, double atLeast) {
  std::optional<SideStates::Candidate> apart;
  if (candidate) apart.emplace(*kernel_.states);
  const OperatorWatch watch(kernel_.op.schema().name());
  CodeSamples samples;
  const auto start = std::chrono::steady_clock::now();
  double seconds = 0;
  while (seconds < atLeast) {
    if (!call.run()) break;  // the next sample says why
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  seen_[candidate ? 1 : 0].add(samples.take());
  if (candidate && delegated_.empty())
    delegated_ = delegatedTo(kernel_.op.schema().name(), watch.ran(seconds));
}

std::string WatchedCalls::hidden() const {
  const double share = hiddenShare(seen_[1], seen_[0]);
  if (share < worthSaying) return {};
  return fmt::format("the kernel spends {} of its time in torch's own code for {}, past torch's dispatcher",
                     formatPercent(share), kernel_.op.schema().name());
}

}  // namespace wb
