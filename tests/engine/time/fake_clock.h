// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/time/timer.h"

namespace wb {

/// A call that does nothing but say which it is.
class FakeCall final : public PreparedCall {
 public:
  FakeCall(bool candidate, std::size_t set) : candidate_(candidate), set_(set) {}
  Result<void> run() override {
    ++runs;
    return {};
  }
  Result<Stack> outputs() override { return Stack{}; }
  [[nodiscard]] bool candidate() const { return candidate_; }
  [[nodiscard]] std::size_t set() const { return set_; }
  int runs = 0;

 private:
  bool candidate_;
  std::size_t set_;
};

using FakeCalls = std::vector<std::unique_ptr<PreparedCall>>;
inline FakeCalls fakeCalls(bool candidate, std::size_t sets) {
  FakeCalls calls;
  for (std::size_t set = 0; set < sets; ++set) calls.push_back(std::make_unique<FakeCall>(candidate, set));
  return calls;
}

/// A clock whose time passes only by what it measures: seconds per call come from a function of the side and
/// of the time so far.
class FakeClock final : public Clock {
 public:
  struct Taken {
    bool candidate = false;
    std::size_t first = 0;
    int calls = 1;
  };
  using Law = std::function<Result<double>(bool candidate, double now)>;
  explicit FakeClock(Law law, SampleNeeds needs = {1e-5, 1e-5, 256}) : law_(std::move(law)), needs_(needs) {}

  [[nodiscard]] std::string description(int calls) const override {
    return calls == 1 ? "fake" : "fake, " + std::to_string(calls) + " calls";
  }
  [[nodiscard]] SampleNeeds needs() const override { return needs_; }
  Result<Sampled> sample(Calls rotation, std::size_t first, int calls) override {
    const auto& call = dynamic_cast<const FakeCall&>(*rotation[first]);
    auto seconds = law_(call.candidate(), now_);
    if (seconds && placed) *seconds *= placed(call.candidate(), call.set());
    if (seconds && *seconds > 0) now_ += *seconds * calls;
    taken.push_back({call.candidate(), first, calls});
    if (!seconds) return std::move(seconds).error();
    return Sampled{*seconds, hostSeconds, interrupts ? interrupts(now_) : 0};
  }
  Result<std::array<Sampled, 4>> block(const Sides& sides, const std::array<Turn, 4>& turns,
                                       int calls) override {
    std::array<Turn, 4> moved = turns;
    if (staysInPlace)
      for (Turn& turn : moved) turn.first = turns[0].first;
    return Clock::block(sides, moved, calls);
  }
  std::optional<Conditions> conditions() override {
    if (!hertz) return std::nullopt;
    Conditions conditions;
    conditions.smHertz = hertz(now_);
    conditions.throttle = throttle;
    return conditions;
  }
  Result<int> batch(const Sides&, double seconds) override {
    if (!noBatch.empty()) return Error{Stage::time, noBatch};
    if (batches) batched = std::max(1, static_cast<int>(200e-6 / seconds));
    return batched;
  }
  void endBatch() override { ++ended; }
  [[nodiscard]] Meaning meaning(int) const override { return saysItMeans; }
  Result<OtherTimes> others(const Sides&, const BothSides& headline, double budget) override {
    othersBudget = budget;
    if (const double left = budget; left > 0) now_ += std::min(left, 1e-6);
    OtherTimes given = otherTimes;
    if (given.step.candidate > 0) given.step.reference = headline.reference / 2;
    return given;
  }
  std::optional<double> joules() override {
    if (watts == 0) return std::nullopt;
    return watts * now_;
  }
  [[nodiscard]] double now() const override { return now_; }
  void sleep(double seconds) { now_ += seconds; }

  std::vector<Taken> taken;
  double hostSeconds = 0;
  std::function<double(double now)> hertz;     ///< of the SMs; empty: not known
  std::function<long(double now)> interrupts;  ///< of a sample that ended then; empty: none
  std::function<double(bool candidate, std::size_t set)> placed;  ///< a factor of its own; empty: 1
  bool staysInPlace = false;  ///< takes all samples of a block of the same set, as a device's clock does
  std::string throttle;
  bool batches = false;  ///< knows a better way for short calls …
  std::string noBatch;   ///< … or why it does not work with these
  int batched = 0, ended = 0;
  Meaning saysItMeans;
  OtherTimes otherTimes;
  /// What others() was given at last.
  double othersBudget = -1;
  double watts = 0;  ///< that the device takes; 0: not known

 private:
  Law law_;
  SampleNeeds needs_;
  double now_ = 100;
};

/// Log-normal noise about two medians.
inline FakeClock noisy(double reference, double candidate, double noise, std::uint64_t seed) {
  return FakeClock([=, random = std::mt19937_64(seed), spread = std::normal_distribution<double>(0, noise)](
                       bool isCandidate, double) mutable -> Result<double> {
    return (isCandidate ? candidate : reference) * std::exp(spread(random));
  });
}

/// Times four calls of either side.
inline Result<CaseTiming> timed(FakeClock& clock, TimingPlan plan = {}, std::uint64_t seed = 7,
                                std::stop_token stop = {}) {
  const auto reference = fakeCalls(false, 4), candidate = fakeCalls(true, 4);
  return timeCase({reference, candidate}, clock, plan, seed, std::move(stop));
}

}  // namespace wb
