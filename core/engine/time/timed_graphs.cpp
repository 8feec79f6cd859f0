// SPDX-License-Identifier: Apache-2.0
// What is done between the blocks of CUDA graphs, whose calls nothing can come between.
#include <algorithm>

#include "core/engine/time/clocks/graph_calls.h"
#include "core/engine/time/timed_calls.h"

namespace wb {
namespace {

/// So many blocks are likely to be looked at, and then one in so many.
constexpr std::uint64_t looksOften = 4, inAWhile = 8;
/// Who wants a rough time does not wait for the sets of more calls.
constexpr int mostRoughCalls = 12;

}  // namespace

Result<GraphSets> TimedCalls::provide(int calls) {
  const bool isRough = kernel_.job.timing.isRough();
  const GraphCalls wanted = graphCalls(isRough ? std::min(calls, mostRoughCalls) : calls, room_.bytesPerSet,
                                       room_.cacheBytes, room_.mostSets);
  const auto sets = 3 * static_cast<std::size_t>(wanted.calls);
  while (sets_.size() < sets) WB_DO(add());
  // Within a block the reference's answers stay in memory, where the kernel could find them.
  for (std::size_t i = 0; i < sets; ++i) {
    if (sets_[i].own) continue;
    sets_[i].own = contents_.copy(random_());
    Result<std::unique_ptr<PreparedCall>> reference = referenceOf(sets_[i]);
    if (!reference) {
      sets_[i].own.reset();
      return std::move(reference).error();
    }
    reference_[i] = *std::move(reference);
  }
  areGraphsCold_ = wanted.cold;
  return GraphSets{std::span(reference_).first(sets), std::span(candidate_).first(sets), wanted.calls};
}

Result<void> TimedCalls::renewAll() {
  drawAnew();
  const std::uint64_t shared = random_();
  for (Set& set : sets_) {
    // What was enqueued as one sequence has run since.
    set.candidate->hasResults = set.candidate->hasRun;
    set.reference->hasResults = set.reference->hasRun;
    for (const bool candidate : {false, true}) writeOnDevice(set, candidate);
    contents_.renew(set.given, shared, random_(), deviceRoom_, {{}, mutable_});
    if (set.own) contents_.renew(*set.own, shared, random_(), deviceRoom_, {{}, mutable_});
    forget(set);
  }
  return {};
}

/// Where arguments are changed in place, answers are known after the first change alone.
int TimedCalls::looksAfter(bool candidateFirst) {
  if (isRandom_) return 0;
  const bool looks = drawUnforeseen() % (looks_ < looksOften ? 2 : inAWhile) == 0;
  const int turns = 1 + static_cast<int>(drawUnforeseen() % 2);
  if (!looks || (once() && !candidateFirst)) return 0;
  ++looks_;
  return once() ? 1 : turns;
}

Result<void> TimedCalls::replayed(std::size_t sets) {
  if (isRandom_) return {};
  for (std::size_t i = 0; i < std::min(sets, sets_.size()); ++i) {
    choose(true, 1);
    if (chosen_) WB_DO(keep(sets_[i], {}, {}));
    chosen_.reset();
  }
  return {};
}

}  // namespace wb
