// SPDX-License-Identifier: Apache-2.0

#include "core/engine/time/timer.h"

#include "core/base/worked_seconds.h"

namespace wb {
namespace {

/// A GPU keeps its clock up for longer than this after its last kernel.
constexpr double awakeSeconds = 0.1;

}  // namespace

Result<Sampled> Clock::sample(const Sides& sides, const Turn& turn, int calls) {
  WB_TRY(Sampled taken, sampleOnce(sides, turn, calls));
  const int more = sides.between == nullptr ? 0 : sides.between->again(turn.candidate, calls);
  if (more > 0) {
    // As the next one in a block does, it begins with the set after the last.
    const std::size_t next = turn.first + static_cast<std::size_t>(calls);
    const Turn untimed{turn.candidate, next % sides.of(turn.candidate).size()};
    if (auto done = sampleOnce(sides, untimed, more); !done) return std::move(done).error();
  }
  return taken;
}

Result<Sampled> Clock::sampleOnce(const Sides& sides, const Turn& turn, int calls) {
  if (sides.between != nullptr) WB_DO(sides.between->before(turn.candidate, turn.first, calls));
  auto taken = [&]() -> Result<Sampled> {
    const EnteredSide entered(sides, turn.candidate);
    if (sides.between != nullptr) WB_DO(sides.between->handOver(turn.candidate, turn.first, 0, calls));
    WB_TRY(const Sampled sampled, sample(sides.of(turn.candidate), turn.first, calls));
    if (sides.between != nullptr && sampled.stopped.at > 0)
      sides.between->stopped(turn.candidate, sampled.seconds * calls, sampled.stopped);
    if (sides.between != nullptr) WB_DO(sides.between->ended(turn.candidate, turn.first, calls));
    return sampled;
  }();
  if (taken && sides.between != nullptr) WB_DO(sides.between->after(turn.candidate, turn.first, calls));
  return taken;
}

Result<std::array<Sampled, 4>> Clock::block(const Sides& sides, const std::array<Turn, 4>& turns, int calls) {
  std::array<Sampled, 4> samples;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    WB_TRY(auto taken, sample(sides, turns[i], calls));
    samples[i] = taken;
  }
  return samples;
}

Result<int> Clock::batch(const Sides&, double) {
  return 0;
}

Meaning Clock::meaning(int) const {
  return {};
}

Result<void> Clock::evict() {
  return {};
}

Result<OtherTimes> Clock::others(const Sides&, const BothSides&, double) {
  return OtherTimes{};
}

double Clock::now() const {
  return steadySeconds();
}

bool Clock::awake() const {
  return lastUse_ && now() - *lastUse_ <= awakeSeconds;
}

}  // namespace wb
