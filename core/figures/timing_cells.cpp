// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/figures/cells.h"
#include "core/figures/ran.h"

namespace wb {

void ConditionRanges::Range::take(double value) {
  if (!(value > 0)) return;
  low = known() ? std::min(low, value) : value;
  high = std::max(high, value);
}

void ConditionRanges::take(const CaseTiming& timing) {
  for (const Conditions& block : timing.conditions) {
    ++blocks;
    smHertz.take(block.smHertz);
    memoryHertz.take(block.memoryHertz);
    watts.take(block.watts);
    celsius.take(block.celsius);
    if (!block.throttle.empty()) ++throttled[block.throttle];
  }
}

namespace {

/// A range in words, "612 – 688 W", or one number where both look the same.
std::string rangeText(const ConditionRanges::Range& range, std::string_view unit) {
  if (!range.known()) return {};
  std::string low = formatScaled(range.low, unit);
  const std::string high = formatScaled(range.high, unit);
  if (low == high) return high;
  const std::size_t atLow = low.rfind(' '), atHigh = high.rfind(' ');
  if (atLow != std::string::npos && atHigh != std::string::npos && low.substr(atLow) == high.substr(atHigh))
    low.resize(atLow);
  return low + " – " + high;
}

std::string pairText(const BothSides& sides, std::string (*format)(double)) {
  if (sides.reference <= 0) return "candidate " + format(sides.candidate);
  return fmt::format("candidate {}, reference {}", format(sides.candidate), format(sides.reference));
}

std::string joules(double value) {
  if (value > 0 && value < 1e-3) return formatScaled(value * 1e6, "µJ");
  return value > 0 && value < 1 ? formatScaled(value * 1e3, "mJ") : formatScaled(value, "J");
}

/// Says whether CUPTI and events agree.
std::string clocksAgreeText(const CaseTiming& timing) {
  if (timing.events.candidate <= 0 || timing.kernel.candidate <= 0) return {};
  const auto share = [](double events, double kernel) {
    return kernel > 0 && events > 0 ? events / kernel - 1 : 0;
  };
  const double candidate = share(timing.events.candidate, timing.kernel.candidate);
  const double reference = share(timing.events.reference, timing.kernel.reference);
  return fmt::format("events say {} of the candidate, {} of the reference: {}", formatChange(candidate),
                     formatChange(reference),
                     timing.disagree.empty() ? "they agree" : "they differ, " + timing.disagree);
}

}  // namespace

std::string timeText(const CaseTiming& timing) {
  if (timing.time.empty() || timing.caches == CacheState::unknown) return timing.time;
  return fmt::format("{}, {}", timing.time, name(timing.caches));
}

std::string clocksText(const ConditionRanges& ranges) {
  std::string text;
  if (ranges.smHertz.known()) text = "SM " + rangeText(ranges.smHertz, "Hz");
  if (ranges.memoryHertz.known())
    text += (text.empty() ? "memory " : ", memory ") + rangeText(ranges.memoryHertz, "Hz");
  return text;
}

std::string powerText(const ConditionRanges& ranges) {
  std::string text = rangeText(ranges.watts, "W");
  if (ranges.celsius.known()) text += (text.empty() ? "" : ", ") + rangeText(ranges.celsius, "°C");
  return text;
}

std::string throttleText(const ConditionRanges& ranges) {
  if (ranges.blocks == 0) return {};
  std::string text;
  for (const auto& [reason, count] : ranges.throttled)
    text += fmt::format("{}{} in {} of {} blocks", text.empty() ? "" : ", ", reason, formatCount(count),
                        formatCount(ranges.blocks));
  return text.empty() ? "none" : text;
}

std::vector<Fact> timingFacts(const CaseTiming& timing) {
  std::vector<Fact> facts;
  const auto say = [&facts](std::string_view what, std::string text) {
    if (!text.empty()) facts.push_back({std::string(what), std::move(text)});
  };
  say("headline", timeText(timing));
  say("timed on", timing.device);
  const auto sayTime = [&say](std::string_view what, const BothSides& sides) {
    if (sides.candidate > 0) say(what, pairText(sides, formatSeconds));
  };
  sayTime("kernel, cold", timing.kernel);
  sayTime("kernel, hot", timing.kernelHot);
  sayTime(
      timing.stepCaches == CacheState::unknown ? "step" : fmt::format("step, {}", name(timing.stepCaches)),
      timing.step);
  if (timing.time != "call") sayTime("call", timing.call);
  sayTime("host", timing.host);
  say("two clocks", clocksAgreeText(timing));
  if (timing.empty > 0) say("an empty kernel", formatSeconds(timing.empty));
  if (timing.tick > 0) say("tick of the clock", formatSeconds(timing.tick));
  if (timing.joules.candidate > 0) say("energy", pairText(timing.joules, joules));
  if (timing.floor > 0) say("floor", fmt::format("{} ({})", formatSeconds(timing.floor), timing.floorBy));
  say("math", timing.math);
  say("kernels that ran", joined(launchNames(timing), ", "));
  ConditionRanges ranges;
  ranges.take(timing);
  say("clocks", clocksText(ranges));
  say("power", powerText(ranges));
  if (!ranges.throttled.empty()) say("throttled", throttleText(ranges));
  if (timing.dropped > 0)
    say("left out", plural(timing.dropped, "block", "blocks") + " for a changing clock");
  return facts;
}

}  // namespace wb
