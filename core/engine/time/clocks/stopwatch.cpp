// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/clocks/stopwatch.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

#include "core/base/worked_seconds.h"

namespace wb {
namespace {

using Steady = std::chrono::steady_clock;

/// So much more than the quick clock, in seconds and as a share, the system's own may show.
constexpr double readingSeconds = 1e-6, readingShare = 0.01;

/// What the system itself says, which takes a little longer than to read the same clock here.
double secondsOfSystem(clockid_t clock) {
  timespec now{};
  ::syscall(SYS_clock_gettime, clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

Stopwatch::Stopwatch() : startOfSystem_(secondsOfSystem(CLOCK_MONOTONIC)), start_(Steady::now()) {}

double Stopwatch::seconds() const {
  const double quick = std::chrono::duration<double>(Steady::now() - start_).count();
  const double system = secondsOfSystem(CLOCK_MONOTONIC) - startOfSystem_;
  return system > quick * (1 + readingShare) + readingSeconds ? system : quick;
}

Moment momentNow() {
  const double at = steadySeconds();
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return {at, secondsOfSystem(CLOCK_PROCESS_CPUTIME_ID), usage.ru_nvcsw};
}

double secondsBetween(const Moment& from, const Moment& to) {
  const double passed = to.at - from.at, worked = to.worked - from.worked;
  // Some systems count in steps of milliseconds: there nothing is known of what is shorter.
  const bool isKnown = to.pauses == from.pauses && worked > 0;
  return isKnown ? std::min(passed, worked) : passed;
}

}  // namespace wb
