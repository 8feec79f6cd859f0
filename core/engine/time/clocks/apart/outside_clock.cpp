// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/clocks/apart/outside_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "core/base/quantity.h"
#include "core/model/pace.h"

namespace wb {
namespace {

/// To be let go on and look for orders takes some ten microseconds. A kernel that works for longer before the
/// clock of a sample begins, and for such a part of its time, does there what is to be timed. From what is
/// usual on, the ratio is known no better than by what was worked there. With many threads it takes longer,
/// as each is let go on. A GPU turns to a process in some 150 µs, give or take 30, which the reference shows.
struct BeforeClock {
  double usual, most, share;
};
constexpr double perThread = 8e-6;
constexpr BeforeClock beforeOnHost{6e-5, 2e-4, 0.05}, beforeOnDevice{6e-5, 2e-4, 0.05};
/// A GPU that others work on turns to a process after a slice of their time, which is a millisecond or two.
constexpr double sliceSeconds = 5e-4;

const BeforeClock& limitsFor(bool onDevice) {
  return onDevice ? beforeOnDevice : beforeOnHost;
}

}  // namespace

double longOf(std::vector<double> seconds) {
  if (seconds.empty()) return 0;
  const auto most = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() * 7 / 10);
  std::nth_element(seconds.begin(), most, seconds.end());
  return *most;
}

void OutsideClock::worked(double seconds, double used) {
  worked_.push_back(seconds);
  used_.push_back(used);
}

void OutsideClock::turned(bool candidate, double seconds) {
  turned_[candidate ? 1 : 0].push_back(seconds);
}

void OutsideClock::forget() {
  worked_.clear();
  used_.clear();
  for (std::vector<double>& side : turned_) side.clear();
}

double OutsideClock::before(bool isNoisy) const {
  if (onDevice_) return std::max(0.0, longOf(turned_[1]) - longOf(turned_[0]));
  // Where others have the processors each look takes long, and no ratio is said that somebody could doubt.
  return longOf(isNoisy ? used_ : worked_);
}

std::string OutsideClock::why(const CaseTiming& timing, std::size_t threads) const {
  const double reference = median(turned_[0]), candidate = median(turned_[1]);
  if (reference > sliceSeconds)
    return fmt::format(
        "not scored: something else is at work on the GPU, which the kernel may have left there: the GPU "
        "turns "
        "to the reference's process in {}, and to the kernel's in {}",
        formatSeconds(reference), formatSeconds(candidate));
  const double worked = before(!hasInterval(timing.speedup));
  const BeforeClock& limits = limitsFor(onDevice_);
  const double most = limits.most + perThread * static_cast<double>(threads);
  if (worked < std::max(most, limits.share * timing.candidate)) return {};
  return fmt::format(
      "not scored: the kernel's process works for {} whenever it is let go on, before the clock begins",
      formatSeconds(worked));
}

double OutsideClock::share(const CaseTiming& timing) const {
  const double worked = before(false);
  if (worked < limitsFor(onDevice_).usual) return 0;
  return worked / (timing.candidate * std::max(1, timing.callsPerSample));
}

}  // namespace wb
