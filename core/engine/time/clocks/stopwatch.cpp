// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/clocks/stopwatch.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

namespace wb {
namespace {

using Steady = std::chrono::steady_clock;

/// So much more than the quick clock, in seconds and as a share, the system's own may show.
constexpr double readingSeconds = 1e-6, readingShare = 0.01;

/// The same clock, read by the system itself, which takes a little longer.
double secondsOfSystem() {
  timespec now{};
  ::syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

Stopwatch::Stopwatch() : startOfSystem_(secondsOfSystem()), start_(Steady::now()) {}

double Stopwatch::seconds() const {
  const double quick = std::chrono::duration<double>(Steady::now() - start_).count();
  const double system = secondsOfSystem() - startOfSystem_;
  return system > quick * (1 + readingShare) + readingSeconds ? system : quick;
}

}  // namespace wb
