// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/clocks/apart/calls_alone.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/quantity.h"
#include "core/engine/time/clocks/apart/outside_clock.h"

namespace wb {
namespace {

/// A launch that finds the device at rest begins later, and whoever waits for its end is told so late: so
/// much in any case, and no more of what the reference shows, in seconds.
constexpr double usualWait = 7e-6, mostOfReference = 30e-6;
/// To wait for what is over takes no longer than this.
constexpr double waitForNothing = 8e-6;
/// A call alone finds colder caches than one of many, on the device and on the host.
constexpr double colder = 1.15, colderAlone = 1.25, usualAlone = 25e-6;
/// Where the reference's call alone is waited for longer than this, others are at work on the GPU, and it
/// does not show what a wait costs.
constexpr double slowestWait = 20e-6;

}  // namespace

std::string besideEachOther(const EnqueuedCalls& candidate, const EnqueuedCalls& reference) {
  if (reference.waited > colder * reference.together + sliceOfOthers)
    return fmt::format(
        "not scored: something is at work on the GPU while calls are made alone: one of the reference's is "
        "waited for {} there, and takes {} among others",
        formatSeconds(reference.waited), formatSeconds(reference.together));
  if (reference.waited > colder * reference.together + slowestWait) return {};
  // One that is over as soon as it is enqueued shows what it costs to wait for nothing.
  const bool isOver = reference.waited < reference.enqueued;
  const double wait =
      std::clamp(reference.waited - (isOver ? waitForNothing : reference.together), 0.0, mostOfReference);
  // Where the shortest of those alone takes no longer than one of many, it was others who had the rest wait.
  const bool worksLonger = candidate.waited > colder * candidate.together + usualWait + wait &&
                           candidate.alone > colder * candidate.together;
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
