// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include <chrono>
#include <utility>

#include "core/engine/time/timer.h"

namespace wb {
namespace {

using Steady = std::chrono::steady_clock;

/// The interruptions of all threads, since an operator that waits for all of its threads waits for the one
/// that was interrupted.
long interruptions() {
  rusage usage{};
  return ::getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

class WallClock final : public Clock {
 public:
  WallClock(const SampleNeeds& needs, std::function<Result<void>()> finish)
      : needs_(needs), finish_(std::move(finish)) {}

  [[nodiscard]] std::string description(int) const override { return "wall clock"; }
  [[nodiscard]] SampleNeeds needs() const override { return needs_; }

  Result<Sampled> sample(Calls rotation, std::size_t first, int calls) override {
    std::size_t next = first;
    const long before = interruptions();
    const auto start = Steady::now();
    for (int call = 0; call < calls; ++call) {
      WB_DO(rotation[next]->run());
      if (++next == rotation.size()) next = 0;
    }
    if (finish_) WB_DO(finish_());
    const double seconds = std::chrono::duration<double>(Steady::now() - start).count();
    return Sampled{seconds / calls, 0, interruptions() - before};
  }

 private:
  SampleNeeds needs_;
  std::function<Result<void>()> finish_;
};

}  // namespace

std::unique_ptr<Clock> wallClock(const SampleNeeds& needs, std::function<Result<void>()> finish) {
  return std::make_unique<WallClock>(needs, std::move(finish));
}

}  // namespace wb
