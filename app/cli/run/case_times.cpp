// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/case_times.h"

namespace wb {

void CaseTimes::take(const Event& event) {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (const auto* started = std::get_if<StepStarted>(&event); started && started->index)
    began_[*started->index] = now;
  if (const auto* done = std::get_if<StepDone>(&event); done && resultIn<CaseTiming>(event))
    if (const auto found = began_.find(*done->index); found != began_.end())
      seconds_[*done->index] = std::chrono::duration<double>(now - found->second).count();
}

std::map<std::uint32_t, double> CaseTimes::seconds() const {
  const std::lock_guard lock(mutex_);
  return seconds_;
}

}  // namespace wb
