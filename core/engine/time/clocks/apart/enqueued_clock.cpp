// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "core/engine/time/clocks/apart/calls_alone.h"
#include "core/engine/time/clocks/stopwatch.h"
#include "core/engine/time/timer.h"
#include "core/model/measurement.h"

namespace wb {
namespace {

/// So many calls are made alone, of long ones a few.
constexpr int callsAlone = 9, longCallsAlone = 3;
constexpr double longCall = 5e-3;
/// A measurement has at least so many samples of either side.
constexpr std::size_t latestSamples = 8;

class EnqueuedClock final : public Clock {
 public:
  EnqueuedClock(const SampleNeeds& needs, std::function<Result<void>()> finish, std::function<void()> ended)
      : needs_(needs), finish_(std::move(finish)), ended_(std::move(ended)) {}

  [[nodiscard]] std::string description(int) const override { return "wall clock"; }
  [[nodiscard]] SampleNeeds needs() const override { return needs_; }

  Result<Sampled> sample(Calls rotation, std::size_t first, int calls) override {
    std::size_t next = first;
    const Stopwatch watch;
    for (int call = 0; call < calls; ++call) {
      WB_DO(rotation[next]->run());
      if (++next == rotation.size()) next = 0;
    }
    const double host = watch.seconds() / calls;
    WB_DO(finish_());
    const double seconds = watch.seconds() / calls;
    ended_();
    if (calls > 1) noteEnqueued(rotation, host);
    return Sampled{seconds, host, 0};
  }

  /// Calls that are only enqueued could run beside each other, which a sample of many does not show.
  Result<OtherTimes> others(const Sides& sides, const BothSides& headline, double) override {
    OtherTimes other;
    other.host = {hostOf(sides.reference), hostOf(sides.candidate)};
    if (other.host.candidate == 0 || sides.candidate.size() < 2) return other;
    WB_TRY(auto alone, callsOneByOne(sides, std::max(headline.reference, headline.candidate)));
    for (const bool candidate : {false, true}) {
      EnqueuedCalls& side = alone[candidate ? 1 : 0];
      side.together = candidate ? headline.candidate : headline.reference;
      side.enqueued = candidate ? other.host.candidate : other.host.reference;
    }
    if (std::string why = besideEachOther(alone[1], alone[0]); !why.empty())
      return Error{Stage::time, std::move(why), {}, {}};
    return other;
  }

 private:
  [[nodiscard]] double hostOf(Calls calls) const {
    const auto found = enqueued_.find(calls.data());
    return found == enqueued_.end() ? 0 : *std::min_element(found->second.begin(), found->second.end());
  }

  /// A side of another case may lie where one did.
  void noteEnqueued(Calls calls, double seconds) {
    std::deque<double>& latest = enqueued_[calls.data()];
    latest.push_back(seconds);
    if (latest.size() > latestSamples) latest.pop_front();
  }

  /// The second of two calls, each of which is waited for: the first one has warmed the host's caches.
  Result<Sampled> callAlone(const Sides& sides, const Turn& turn) {
    BetweenSamples* const between = sides.between;
    const Calls rotation = sides.of(turn.candidate);
    constexpr int calls = 2;
    Sampled last;
    if (between != nullptr) WB_DO(between->before(turn.candidate, turn.first, calls));
    {
      const EnteredSide entered(sides, turn.candidate);
      for (int call = 0; call < calls; ++call) {
        if (between != nullptr) WB_DO(between->handOver(turn.candidate, turn.first, call, call + 1));
        const Stopwatch watch;
        WB_DO(rotation[(turn.first + static_cast<std::size_t>(call)) % rotation.size()]->run());
        last.host = watch.seconds();
        WB_DO(finish_());
        last.seconds = watch.seconds();
      }
      if (between != nullptr) WB_DO(between->ended(turn.candidate, turn.first, calls));
    }
    if (between != nullptr) WB_DO(between->after(turn.candidate, turn.first, calls));
    return last;
  }

  /// Both sides take turns. Of all the shortest, which nobody has held up; of what is waited for, the median,
  /// since a call may do some of its waiting itself.
  Result<std::array<EnqueuedCalls, 2>> callsOneByOne(const Sides& sides, double longer) {
    std::array<EnqueuedCalls, 2> found;
    std::array<std::vector<double>, 2> waits;
    for (int call = 0; call < (longer > longCall ? longCallsAlone : callsAlone); ++call)
      for (const bool candidate : {false, true}) {
        const std::size_t set = static_cast<std::size_t>(call) % sides.of(candidate).size();
        WB_TRY(const Sampled taken, callAlone(sides, Turn{candidate, set}));
        double& alone = found[candidate ? 1 : 0].alone;
        alone = call == 0 ? taken.seconds : std::min(alone, taken.seconds);
        waits[candidate ? 1 : 0].push_back(taken.seconds - taken.host);
      }
    for (const std::size_t side : {0, 1}) found[side].waited = median(std::move(waits[side]));
    return found;
  }

  /// What it took to enqueue a call of many in the latest samples of either side.
  std::map<const void*, std::deque<double>> enqueued_;
  SampleNeeds needs_;
  std::function<Result<void>()> finish_;
  std::function<void()> ended_;
};

}  // namespace

std::unique_ptr<Clock> enqueuedClock(const SampleNeeds& needs, std::function<Result<void>()> finish,
                                     std::function<void()> ended) {
  return std::make_unique<EnqueuedClock>(needs, std::move(finish), std::move(ended));
}

}  // namespace wb
