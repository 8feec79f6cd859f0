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

  Result<Sampled> sample(Calls rotation, std::size_t first, int calls) override {
    std::size_t next = first;
    const auto start = Steady::now();
    for (int call = 0; call < calls; ++call) {
      if (auto done = rotation[next]->run(); !done) return std::move(done).error();
      if (++next == rotation.size()) next = 0;
    }
    return Sampled{std::chrono::duration<double>(Steady::now() - start).count() / calls, 0};
  }
};

}  // namespace

std::unique_ptr<Clock> wallClock() {
  return std::make_unique<WallClock>();
}

}  // namespace wb
