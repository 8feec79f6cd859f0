// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "core/engine/call.h"
#include "core/model/job.h"
#include "core/model/measurement.h"

namespace wb {

/// How long a sample must last for a clock to be trusted, in seconds.
struct SampleNeeds {
  double single = 0;  ///< a call of at least this long is a sample of its own
  double batch = 0;   ///< shorter calls are repeated until a sample lasts this long
  int maxCalls = 1;   ///< … at most so many times
};

/// One clock: how long does running a call take. Wall clock on the CPU, device events on a GPU.
class Clock {
 public:
  virtual ~Clock() = default;
  /// What a sample of so many calls measures: "wall clock", "device events, cold L2", "device events, hot, 64
  /// calls a sample".
  [[nodiscard]] virtual std::string description(int callsPerSample) const = 0;
  [[nodiscard]] virtual SampleNeeds needs() const = 0;
  /// Seconds per call of `calls` runs in a row: `rotation[first]`, the next one, and so on, round and round.
  /// Errors: what a call or the device said.
  virtual Result<double> sample(std::span<const std::unique_ptr<PreparedCall>> rotation, std::size_t first,
                                int calls) = 0;
  /// Seconds since some moment, for budgets and caps: real time except in tests.
  [[nodiscard]] virtual double now() const;
};
[[nodiscard]] std::unique_ptr<Clock> wallClock();
/// Driver events on the legacy default stream, torch's default. A buffer of at least twice the L2 cache is
/// written ahead of each sample, outside the window: it makes a sample of one call cold, and it keeps the
/// device busy while the host enqueues the sample, so that launch gaps do not count.
Result<std::unique_ptr<Clock>> deviceClock(int device);

/// Interleaved ABBA blocks (or mirrored, drawn at random from `seed`) until the interval's half-width is at
/// most plan.targetHalfWidth of the ratio, or the cap is reached. `reference` and `candidate` are the same
/// calls over several input sets, rotated, one set a sample. Warms up until block times are steady. Pure of
/// torch but for the calls, so tests use fake calls and a fake clock. A stop ends it early with what there
/// is, as an error when that is nothing. Errors: those of calls and clock, times that are not positive, no
/// calls.
Result<CaseTiming> timeCase(std::span<const std::unique_ptr<PreparedCall>> reference,
                            std::span<const std::unique_ptr<PreparedCall>> candidate, Clock& clock,
                            const TimingPlan& plan, std::uint64_t seed, std::stop_token stop);

}  // namespace wb
