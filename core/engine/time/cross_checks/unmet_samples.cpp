// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/cross_checks/unmet_samples.h"

#include <algorithm>
#include <cmath>

namespace wb {

UnmetSamples::UnmetSamples(const CaseTiming& timing, double allowed)
    : timedReference_(timing.reference), timedCandidate_(timing.candidate), allowed_(allowed) {
  constexpr double share = 0.5, ofRatio = 0.7;
  const double ratio = timing.speedup.ratio;
  least_ = std::min({1 + share * (ratio - 1), ofRatio * ratio, timing.speedup.low});
}

void UnmetSamples::add(double reference, double candidate) {
  reference_.push_back(reference);
  candidate_.push_back(candidate);
  ratios_.push_back(reference / candidate);
}

bool UnmetSamples::areClear() const {
  constexpr double clearly = 0.8;
  const auto all = static_cast<double>(ratios_.size());
  const auto enough = static_cast<double>(
      std::count_if(ratios_.begin(), ratios_.end(), [this](double each) { return each >= least_; }));
  return enough >= clearly * all || all - enough >= clearly * all;
}

bool UnmetSamples::loseSpeedup() const {
  constexpr double asMuch = 1.15;
  if (ratios_.empty() || median(ratios_) >= least_) return false;
  const double moreThere = reference() - timedReference_, more = candidate() - timedCandidate_;
  // At a quicker pace of the machine nothing takes longer.
  if (moreThere <= 0 && allowed_ == 0) return true;
  return more > asMuch * std::max(0.0, moreThere) + allowed_;
}

int callsInRow(double seconds, std::int64_t bytesPerCall) {
  constexpr double sampleSeconds = 4e-4;
  constexpr std::int64_t most = 64, mostBytes = std::int64_t{32} << 20;
  const auto forTime = static_cast<std::int64_t>(std::ceil(sampleSeconds / std::max(seconds, 1e-9)));
  const std::int64_t forMemory = mostBytes / std::max<std::int64_t>(1, bytesPerCall);
  return static_cast<int>(std::max<std::int64_t>(1, std::min({forTime, forMemory, most})));
}

}  // namespace wb
