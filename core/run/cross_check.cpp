// SPDX-License-Identifier: Apache-2.0
#include "core/run/cross_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/quantity.h"
#include "core/model/clocks/clock_slack.h"
#include "core/model/pace.h"

namespace wb {

namespace {

/// Numbers that were computed from the same samples differ by no more than this.
constexpr double rounding = 1e-6;
/// An event may wait for so long before it is read, which makes the step seem shorter than it was.
constexpr double latency = 0.1, latencyShare = 0.05;

bool isAlmost(double claimed, double computed) {
  return std::abs(claimed - computed) <= rounding * std::abs(computed);
}

/// The seconds of all sampled calls.
double sampled(const CaseTiming& timing) {
  double seconds = 0;
  for (const Block& block : timing.blocks)
    seconds += block.reference[0] + block.reference[1] + block.candidate[0] + block.candidate[1];
  return seconds * std::max(timing.callsPerSample, 1);
}

double medianOf(const CaseTiming& timing, std::array<double, 2> Block::*side) {
  std::vector<double> times;
  for (const Block& block : timing.blocks)
    times.insert(times.end(), (block.*side).begin(), (block.*side).end());
  return median(std::move(times));
}

std::string ofSamples(const CaseTiming& timing) {
  const Result<Speedup> computed = compare(timing.blocks);
  if (!computed) return computed.error().text;
  const Speedup& claimed = timing.speedup;
  if (!isAlmost(claimed.ratio, computed->ratio))
    return fmt::format("its speedup is given as {}, and its samples come to {}", formatRatio(claimed.ratio),
                       formatRatio(computed->ratio));
  const double reference = medianOf(timing, &Block::reference),
               candidate = medianOf(timing, &Block::candidate);
  if (!isAlmost(timing.reference, reference) || !isAlmost(timing.candidate, candidate))
    return fmt::format("its times are given as {} and {}, and its samples come to {} and {}",
                       formatSeconds(timing.reference), formatSeconds(timing.candidate),
                       formatSeconds(reference), formatSeconds(candidate));
  if (!hasInterval(claimed)) return {};
  // A worker may know of reasons for a wider interval, never of any for a narrower one.
  const bool holds = hasInterval(*computed) && claimed.low <= computed->low * (1 + rounding) &&
                     claimed.high >= computed->high * (1 - rounding);
  if (!holds)
    return fmt::format("its interval is given as {} to {}, and its samples give {} to {}",
                       formatRatio(claimed.low), formatRatio(claimed.high), formatRatio(computed->low),
                       formatRatio(computed->high));
  if (claimed.pace != Pace::undecided && claimed.pace != judge(claimed.low, claimed.high))
    return fmt::format("it is called {}, which its interval does not say", name(claimed.pace));
  return {};
}

/// How much longer events say that the candidate takes than the device's records do, beyond what they say of
/// the reference, which has the same few microseconds beside a launch.
std::string ofClocks(const CaseTiming& timing) {
  if (timing.time != "kernel" || timing.events.candidate <= 0 || timing.events.reference <= 0) return {};
  const double more = timing.events.candidate - timing.candidate;
  const double usual = std::max(0.0, timing.events.reference - timing.reference);
  if (more - usual <= slackOfEvents(timing.candidate)) return {};
  return fmt::format("by the device's records it takes {}, by events {}; the reference {} and {}",
                     formatSeconds(timing.candidate), formatSeconds(timing.events.candidate),
                     formatSeconds(timing.reference), formatSeconds(timing.events.reference));
}

std::string whyNot(const CaseTiming& timing, double seconds) {
  if (std::string why = ofSamples(timing); !why.empty()) return why;
  if (const double all = sampled(timing); all > seconds * (1 + latencyShare) + latency)
    return fmt::format("its samples would have taken {}, and {} went by", formatSeconds(all),
                       formatSeconds(seconds));
  if (timing.candidate < timing.floor)
    return fmt::format("{} is faster than this device can be ({})", formatSeconds(timing.candidate),
                       formatSeconds(timing.floor));
  return ofClocks(timing);
}

}  // namespace

std::string whyNotScored(const CaseTiming& timing, double seconds) {
  const std::string why = whyNot(timing, seconds);
  return why.empty() ? why : "not scored: " + why;
}

}  // namespace wb
