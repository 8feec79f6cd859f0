// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

#include "core/run/at_work.h"

namespace wb {

/// How long a worker's present step has taken, and when it must have ended. Each side of a case has a time of
/// its own, for all its turns in that case together.
class StepClock {
 public:
  using Clock = std::chrono::steady_clock;

  /// Something began or ended, so from now on another side's time is used.
  void restart(const Job& job, const Report& report, const AtWork& at);
  [[nodiscard]] Clock::time_point deadline() const { return deadline_; }
  /// When those who watch are told of what takes long.
  [[nodiscard]] Clock::time_point nextTelling() const { return nextTelling_; }
  void told(Clock::time_point now);
  /// The seconds since the last restart.
  [[nodiscard]] double seconds(Clock::time_point now) const;
  /// This process stood still; that time does not count.
  void forgive(Clock::duration gap);

 private:
  /// The time used by each, in the step under way.
  std::array<Clock::duration, 4> spent_{};
  Purse purse_ = Purse::common;
  std::uint64_t step_ = 0;
  Clock::time_point since_ = Clock::now(), deadline_, nextTelling_;
};

}  // namespace wb
