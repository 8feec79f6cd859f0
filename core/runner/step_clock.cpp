// SPDX-License-Identifier: Apache-2.0
#include "core/runner/step_clock.h"

#include <algorithm>

namespace wb {

namespace {
constexpr std::chrono::seconds worthTelling{2};
constexpr double longestSeconds = 86400;  // a limit may be as large as a double, but a time point may not
}  // namespace

void StepClock::restart(const Job& job, const Report& report, const AtWork& at) {
  const auto now = Clock::now();
  spent_[static_cast<std::size_t>(purse_)] += now - since_;
  if (at.number != step_) {
    step_ = at.number;
    spent_ = {};
  }
  purse_ = purse(report, at);
  since_ = now;
  nextTelling_ = now + worthTelling;
  const double seconds = std::clamp(patience(job, report, at), 0.0, longestSeconds);
  const auto left = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)) -
                    spent_[static_cast<std::size_t>(purse_)];
  deadline_ = now + std::max(left, Clock::duration::zero());
}

void StepClock::told(Clock::time_point now) {
  nextTelling_ = now + std::chrono::seconds{1};
}

double StepClock::seconds(Clock::time_point now) const {
  return std::chrono::duration<double>(now - since_).count();
}

void StepClock::forgive(Clock::duration gap) {
  since_ += gap;
  deadline_ += gap;
  nextTelling_ += gap;
}

}  // namespace wb
