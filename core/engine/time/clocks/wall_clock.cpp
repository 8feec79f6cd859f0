// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include <chrono>

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
  [[nodiscard]] std::string description(int) const override { return "wall clock"; }
  [[nodiscard]] SampleNeeds needs() const override { return {20e-6, 20e-6, 4096}; }

  Result<Sampled> sample(Calls rotation, std::size_t first, int calls) override {
    std::size_t next = first;
    const long before = interruptions();
    const auto start = Steady::now();
    for (int call = 0; call < calls; ++call) {
      WB_DO(rotation[next]->run());
      if (++next == rotation.size()) next = 0;
    }
    const double seconds = std::chrono::duration<double>(Steady::now() - start).count();
    return Sampled{seconds / calls, 0, interruptions() - before};
  }
};

}  // namespace

std::unique_ptr<Clock> wallClock() {
  return std::make_unique<WallClock>();
}

}  // namespace wb
