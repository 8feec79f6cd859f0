// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/engine/call.h"
#include "core/model/job.h"
#include "core/model/measurement.h"

namespace wb {

/// One clock: how long does running `call` take. Wall clock on the CPU, device events on a GPU.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual std::string description() const = 0;  ///< "wall clock", "device events, cold L2"
  /// Seconds per call of `calls` runs in a row, one after the other over `rotation`.
  virtual Result<double> sample(std::span<const std::unique_ptr<PreparedCall>> rotation, std::size_t first,
                                int calls) = 0;
};
[[nodiscard]] std::unique_ptr<Clock> wallClock();
Result<std::unique_ptr<Clock>> deviceClock(int device);

/// Interleaved ABBA blocks (or mirrored, drawn at random from `seed`) until the interval's half-width is at
/// most plan.targetHalfWidth or the cap is reached. `reference` and `candidate` are the same calls over
/// several input sets, rotated. Warm-up until steady. Pure of torch but for the calls, so tests use fake
/// calls and a fake clock.
Result<CaseTiming> timeCase(std::span<const std::unique_ptr<PreparedCall>> reference,
                            std::span<const std::unique_ptr<PreparedCall>> candidate, Clock& clock,
                            const TimingPlan& plan, std::uint64_t seed, std::stop_token stop);

}  // namespace wb
