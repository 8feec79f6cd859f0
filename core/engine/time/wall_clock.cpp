// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include "core/engine/time/timer.h"

namespace wb {
namespace {

using Steady = std::chrono::steady_clock;

class WallClock final : public Clock {
 public:
  [[nodiscard]] std::string description(int) const override { return "wall clock"; }
  [[nodiscard]] SampleNeeds needs() const override { return {20e-6, 20e-6, 4096}; }

  Result<double> sample(std::span<const std::unique_ptr<PreparedCall>> rotation, std::size_t first,
                        int calls) override {
    std::size_t next = first;
    const auto start = Steady::now();
    for (int call = 0; call < calls; ++call) {
      if (auto done = rotation[next]->run(); !done) return std::move(done).error();
      if (++next == rotation.size()) next = 0;
    }
    return std::chrono::duration<double>(Steady::now() - start).count() / calls;
  }
};

}  // namespace

double Clock::now() const {
  return std::chrono::duration<double>(Steady::now().time_since_epoch()).count();
}

std::unique_ptr<Clock> wallClock() {
  return std::make_unique<WallClock>();
}

}  // namespace wb
