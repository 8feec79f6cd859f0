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
/// as each is let go on. A GPU turns to a process in some 150 µs, give or take 30, which the reference shows,
/// and turns back to the judge more evenly: 76 honest kernels took at most 24 µs longer there on H200s.
struct BeforeClock {
  double usual, most, share;
};
constexpr double perThread = 8e-6;
constexpr BeforeClock beforeOnHost{6e-5, 2e-4, 0.05}, beforeOnDevice{6e-5, 2e-4, 0.05},
    afterOnDevice{5e-5, 1.5e-4, 0.05};

const BeforeClock& limitsFor(bool onDevice) {
  return onDevice ? beforeOnDevice : beforeOnHost;
}

/// What the candidate's turns take beyond the reference's.
double excess(const std::array<std::vector<double>, 2>& turns) {
  // Where others have the GPU now and then, some of either side's turns are longer by chance.
  const auto isCalm = [](const std::vector<double>& seconds) {
    return std::count_if(seconds.begin(), seconds.end(), [](double each) { return each > sliceOfOthers; }) *
               10 <=
           static_cast<std::ptrdiff_t>(seconds.size());
  };
  const double more =
      isCalm(turns[0]) ? longOf(turns[1]) - longOf(turns[0]) : median(turns[1]) - median(turns[0]);
  return std::max(0.0, more);
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

void OutsideClock::turnedBack(bool candidate, double seconds) {
  turnedBack_[candidate ? 1 : 0].push_back(seconds);
}

void OutsideClock::forget() {
  *this = OutsideClock(onDevice_);
}

double OutsideClock::before(bool isNoisy) const {
  if (onDevice_) return excess(turned_);
  // Where others have the processors each look takes long, and no ratio is said that somebody could doubt.
  return longOf(isNoisy ? used_ : worked_);
}

std::string OutsideClock::why(const CaseTiming& timing, std::size_t threads) const {
  const double reference = median(turned_[0]), candidate = median(turned_[1]);
  if (reference > sliceOfOthers)
    return fmt::format(
        "not scored: something else is at work on the GPU, which the kernel may have left there: the GPU "
        "turns "
        "to the reference's process in {}, and to the kernel's in {}",
        formatSeconds(reference), formatSeconds(candidate));
  const double after = excess(turnedBack_);
  if (after >= std::max(afterOnDevice.most, afterOnDevice.share * timing.candidate))
    return fmt::format(
        "not scored: the kernel goes on when its process has said that it is done: the GPU turns back to the "
        "judge "
        "in {}, and after the reference in {}",
        formatSeconds(median(turnedBack_[1])), formatSeconds(median(turnedBack_[0])));
  const double worked = before(!hasInterval(timing.speedup));
  const BeforeClock& limits = limitsFor(onDevice_);
  const double most = limits.most + perThread * static_cast<double>(threads);
  if (worked < std::max(most, limits.share * timing.candidate)) return {};
  // Whoever uses the GPU for a whole slice may be the kernel or somebody else.
  const char* const others = onDevice_ && worked > sliceOfOthers ? ", or others use the GPU meanwhile" : "";
  return fmt::format(
      "not scored: the kernel's process works for {} whenever it is let go on, before the clock begins{}",
      formatSeconds(worked), others);
}

double OutsideClock::share(const CaseTiming& timing) const {
  const auto beyond = [](double seconds, double usual) { return seconds < usual ? 0 : seconds; };
  const double outside =
      beyond(before(false), limitsFor(onDevice_).usual) + beyond(excess(turnedBack_), afterOnDevice.usual);
  return outside / (timing.candidate * std::max(1, timing.callsPerSample));
}

}  // namespace wb
