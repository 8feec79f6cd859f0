// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/timer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "core/base/quantity.h"

namespace wb {
namespace {

constexpr int kSteadyWindow = 4;           // blocks whose median is compared with that of the blocks before
constexpr double kSteady = 0.015;          // relative change that counts as steady
constexpr double kWarmupShare = 0.2;       // of the cap
constexpr std::size_t kFirstLook = 12;     // blocks before the interval is computed for the first time
constexpr std::size_t kMostBlocks = 5000;  // a report has to be sent and kept

using Calls = std::span<const std::unique_ptr<PreparedCall>>;

double median(std::vector<double> values) {
  auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double total(const Block& block) {
  return block.reference[0] + block.reference[1] + block.candidate[0] + block.candidate[1];
}

/// One timing of one case: what the steps share.
class Session {
 public:
  Session(Calls reference, Calls candidate, Clock& clock, const TimingPlan& plan, std::uint64_t seed,
          std::stop_token stop)
      : reference_(reference),
        candidate_(candidate),
        clock_(clock),
        plan_(plan),
        random_(seed),
        stop_(std::move(stop)) {}

  Result<CaseTiming> run();

 private:
  Result<double> sample(Calls calls, std::size_t first, int count);
  Result<void> chooseCalls();
  Result<Block> block();
  Result<void> warmUp();
  Result<void> measure();
  [[nodiscard]] double elapsed() const { return clock_.now() - start_; }

  Calls reference_, candidate_;
  Clock& clock_;
  const TimingPlan& plan_;
  std::mt19937_64 random_;
  std::stop_token stop_;
  double start_ = 0;
  CaseTiming timing_;
};

Result<double> Session::sample(Calls calls, std::size_t first, int count) {
  auto seconds = clock_.sample(calls, first % calls.size(), count);
  if (!seconds) return std::move(seconds).error();
  if (!std::isfinite(*seconds) || *seconds <= 0)
    return Error{
        Stage::time,
        fmt::format("The clock ({}) gave {} s for a call: not a time.", clock_.description(count), *seconds),
        {},
        {}};
  return seconds;
}

/// The same number of calls for both sides, from the quicker one. The first sample of each only touches pages
/// and caches. A batch is tried before it is believed: a single short call costs more than one among many.
Result<void> Session::chooseCalls() {
  const SampleNeeds needs = clock_.needs();
  int calls = 1;
  for (int round = 0; round < 4; ++round) {
    double quicker = 0;
    for (Calls side : {reference_, candidate_}) {
      double best = 0;
      for (int repeat = 0; repeat < (round == 0 ? 3 : 2); ++repeat) {
        auto seconds = sample(side, static_cast<std::size_t>(repeat), calls);
        if (!seconds) return std::move(seconds).error();
        best = best == 0 ? *seconds : std::min(best, *seconds);
      }
      quicker = quicker == 0 ? best : std::min(quicker, best);
    }
    if (calls == 1 && quicker >= needs.single) break;
    if (calls > 1 && quicker * calls >= 0.8 * needs.batch) break;
    int wanted = static_cast<int>(
        std::clamp(std::ceil(needs.batch / quicker), 2.0, static_cast<double>(std::max(needs.maxCalls, 1))));
    wanted = std::min(wanted, needs.maxCalls);
    if (wanted <= calls) break;
    calls = wanted;
  }
  timing_.callsPerSample = calls;
  return {};
}

Result<Block> Session::block() {
  Block block;
  const std::uint64_t drawn = random_();
  block.mirrored = (drawn & 1) != 0;
  // A random first set a block, else each side would keep meeting the same sets at the same places.
  std::size_t set = static_cast<std::size_t>((drawn >> 1) % std::max(reference_.size(), candidate_.size()));
  const auto step = static_cast<std::size_t>(timing_.callsPerSample);
  constexpr std::array<bool, 4> candidateTurn{false, true, true, false};
  std::array<int, 2> taken{};
  for (bool turn : candidateTurn) {
    const bool isCandidate = turn != block.mirrored;
    auto seconds = sample(isCandidate ? candidate_ : reference_, set, timing_.callsPerSample);
    if (!seconds) return std::move(seconds).error();
    auto& slot = taken[isCandidate ? 1 : 0];
    (isCandidate ? block.candidate : block.reference)[static_cast<std::size_t>(slot++)] = *seconds;
    set += step;
  }
  return block;
}

Result<void> Session::warmUp() {
  std::vector<double> times;
  const double budget = kWarmupShare * plan_.capSeconds;
  while (!stop_.stop_requested()) {
    auto next = block();
    if (!next) return std::move(next).error();
    times.push_back(total(*next));
    ++timing_.warmups;
    const auto count = static_cast<std::ptrdiff_t>(times.size());
    if (count >= 2 * kSteadyWindow) {
      const double now = median({times.end() - kSteadyWindow, times.end()});
      const double before = median({times.end() - 2 * kSteadyWindow, times.end() - kSteadyWindow});
      if (std::abs(now - before) <= kSteady * before) return {};
    }
    if (elapsed() >= budget) return {};
  }
  return {};
}

Result<void> Session::measure() {
  std::size_t look = kFirstLook;
  while (true) {
    const bool capped = elapsed() >= plan_.capSeconds || timing_.blocks.size() >= kMostBlocks;
    const bool stopped = stop_.stop_requested();
    const bool enough = !timing_.blocks.empty() && (capped || stopped);
    if (enough || timing_.blocks.size() >= look) {
      auto speedup = compare(timing_.blocks);
      if (!speedup) return std::move(speedup).error();
      timing_.speedup = *speedup;
      const double halfWidth = (speedup->high - speedup->low) / 2 / speedup->ratio;
      if (timing_.blocks.size() >= look && halfWidth <= plan_.targetHalfWidth) return {};
      if (enough) {
        timing_.note =
            fmt::format("{} after {} blocks: known to ±{}", stopped ? "stopped" : "reached the cap",
                        timing_.blocks.size(), formatPercent(halfWidth));
        return {};
      }
      look += std::max<std::size_t>(4, look / 2);  // each look costs a bootstrap: let them thin out
    }
    if (stopped) return Error{Stage::time, "Stopped before a block was timed.", {}, {}};
    auto next = block();
    if (!next) return std::move(next).error();
    timing_.blocks.push_back(*next);
  }
}

Result<CaseTiming> Session::run() {
  if (reference_.empty() || candidate_.empty())
    return Error{Stage::time, "There is nothing to time: no calls were prepared.", {}, {}};
  start_ = clock_.now();
  for (auto step : {&Session::chooseCalls, &Session::warmUp, &Session::measure})
    if (auto done = (this->*step)(); !done) return std::move(done).error();
  std::vector<double> reference, candidate;
  for (const Block& each : timing_.blocks) {
    reference.insert(reference.end(), each.reference.begin(), each.reference.end());
    candidate.insert(candidate.end(), each.candidate.begin(), each.candidate.end());
  }
  timing_.reference = median(std::move(reference));
  timing_.candidate = median(std::move(candidate));
  timing_.clock = clock_.description(timing_.callsPerSample);
  return std::move(timing_);
}

}  // namespace

Result<CaseTiming> timeCase(Calls reference, Calls candidate, Clock& clock, const TimingPlan& plan,
                            std::uint64_t seed, std::stop_token stop) {
  return Session(reference, candidate, clock, plan, seed, std::move(stop)).run();
}

}  // namespace wb
