// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/clocks/calls_alone.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/quantity.h"

namespace wb {
namespace {

/// A launch that finds the device at rest begins later, and whoever waits for its end is told so late: so
/// much in any case, and no more of what the reference shows, in seconds.
constexpr double usualWait = 25e-6, mostOfReference = 30e-6;
/// A call alone finds colder caches than one of many, on the device and on the host.
constexpr double colder = 1.15, colderAlone = 1.25, usualAlone = 50e-6;
/// Where the reference's call alone is waited for longer than this, a GPU turns from one process to another
/// for each call, which takes as long as many kernels; where it is waited for much less than it takes, the
/// reference waits itself. Neither tells what a wait costs.
constexpr double slowestWait = 20e-6, leastWait = 0.5;

bool tellsOfWaits(const EnqueuedCalls& reference) {
  return reference.waited >= leastWait * reference.together &&
         reference.waited <= colder * reference.together + slowestWait;
}

}  // namespace

std::string besideEachOther(const EnqueuedCalls& candidate, const EnqueuedCalls& reference) {
  if (!tellsOfWaits(reference)) return {};
  const double wait = std::clamp(reference.waited - reference.together, 0.0, mostOfReference);
  const bool worksLonger = candidate.waited > colder * candidate.together + usualWait + wait;
  // Who waits for the device within a call that comes alone hides how much of it the device takes.
  const double shown =
      std::clamp(reference.alone - reference.enqueued - reference.together, 0.0, mostOfReference);
  const bool takesLonger = candidate.alone - candidate.enqueued >
                           colderAlone * candidate.together + candidate.enqueued + usualAlone + shown;
  if (!worksLonger && !takesLonger) return {};
  return fmt::format(
      "not scored: calls of this kernel run beside each other: one of many takes {}, and one that comes "
      "alone "
      "takes {}, {} of them after it was enqueued",
      formatSeconds(candidate.together), formatSeconds(candidate.alone), formatSeconds(candidate.waited));
}

}  // namespace wb
