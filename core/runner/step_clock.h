// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

#include "core/run/at_work.h"

namespace wb {

/// How long what one worker is at has taken, and when it must have ended. Each side of a case has a purse of
/// its own, for all its turns in that case together.
class StepClock {
 public:
  using Clock = std::chrono::steady_clock;

  /// Something began or ended: the purse that pays now is another one.
  void restart(const Job& job, const Report& report, const AtWork& at);
  [[nodiscard]] Clock::time_point deadline() const { return deadline_; }
  /// When watchers are to be told of what takes long.
  [[nodiscard]] Clock::time_point nextTelling() const { return nextTelling_; }
  void told(Clock::time_point now);
  [[nodiscard]] double seconds(Clock::time_point now) const;  ///< since the last restart
  void forgive(Clock::duration gap);                          ///< this process stood still: nobody's time

 private:
  std::array<Clock::duration, 4> spent_{};  ///< by each purse, in the step under way
  Purse purse_ = Purse::common;
  std::uint64_t step_ = 0;
  Clock::time_point since_ = Clock::now(), deadline_, nextTelling_;
};

}  // namespace wb
