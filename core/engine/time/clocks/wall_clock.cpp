// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include "core/engine/time/clocks/stopwatch.h"
#include "core/engine/time/timer.h"

namespace wb {
namespace {

/// The interruptions of all threads, since an operator that waits for all of its threads waits for the one
/// that was interrupted.
long interruptions() {
  rusage usage{};
  return ::getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

class WallClock final : public Clock {
 public:
  explicit WallClock(const SampleNeeds& needs) : needs_(needs) {}

  [[nodiscard]] std::string description(int) const override { return "wall clock"; }
  [[nodiscard]] SampleNeeds needs() const override { return needs_; }

  Result<Sampled> sample(Calls rotation, std::size_t first, int calls) override {
    std::size_t next = first;
    const long before = interruptions();
    const Stopwatch watch;
    for (int call = 0; call < calls; ++call) {
      WB_DO(rotation[next]->run());
      if (++next == rotation.size()) next = 0;
    }
    const double seconds = watch.seconds();
    const Moment stopped = momentNow();
    return Sampled{seconds / calls, 0, interruptions() - before, stopped};
  }

 private:
  SampleNeeds needs_;
};

}  // namespace

std::unique_ptr<Clock> wallClock(const SampleNeeds& needs) {
  return std::make_unique<WallClock>(needs);
}

}  // namespace wb
