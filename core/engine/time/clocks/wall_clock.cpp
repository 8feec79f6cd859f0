// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <utility>

#include "core/engine/time/timer.h"

namespace wb {
namespace {

using Steady = std::chrono::steady_clock;

/// So much more than the quick clock, in seconds and as a share, the system's own may show.
constexpr double readingSeconds = 1e-6, readingShare = 0.01;

/// The same clock, read by the system itself. That takes a little longer than Steady::now(), which reads the
/// processor's time stamp in this process, where user code can have the processor ask it what time it is
/// (PR_SET_TSC).
double secondsOfSystem() {
  timespec now{};
  ::syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The quick clock's time, unless the system saw more pass.
double believed(double quick, double system) {
  return system > quick * (1 + readingShare) + readingSeconds ? system : quick;
}

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
    const double startOfSystem = secondsOfSystem();
    const auto start = Steady::now();
    for (int call = 0; call < calls; ++call) {
      WB_DO(rotation[next]->run());
      if (++next == rotation.size()) next = 0;
    }
    if (finish_) WB_DO(finish_());
    const double system = secondsOfSystem() - startOfSystem;
    const double seconds = believed(std::chrono::duration<double>(Steady::now() - start).count(), system);
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
