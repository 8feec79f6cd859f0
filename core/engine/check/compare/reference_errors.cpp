// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/compare/reference_errors.h"

#include <algorithm>
#include <cmath>

namespace wb {

int ReferenceErrors::binOf(double magnitude) {
  if (!(magnitude > 0) || !std::isfinite(magnitude)) return 0;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  return std::clamp(exponent + firstExponent, 1, bins - 1);
}

void ReferenceErrors::add(double magnitude, double error, bool overHalf) {
  if (bins_.empty()) bins_.resize(bins);
  Bin& bin = bins_[static_cast<std::size_t>(binOf(magnitude))];
  bin.count += 1;
  bin.worst = std::max(bin.worst, error);
  bin.squares += error * error;
  worst_ = std::max(worst_, error);
  overHalf_ += overHalf;
}

void ReferenceErrors::add(const double* counts, const double* worst, const double* squares,
                          std::int64_t overHalf) {
  if (bins_.empty()) bins_.resize(bins);
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    bins_[i].count += counts[i];
    bins_[i].worst = std::max(bins_[i].worst, worst[i]);
    bins_[i].squares += squares[i];
    worst_ = std::max(worst_, worst[i]);
  }
  overHalf_ += overHalf;
}

double ReferenceErrors::roomFrom(std::size_t first, std::size_t last, double enough) const {
  Bin near;
  for (std::size_t bin = first; bin <= last && (bin <= first + 2 || near.count < enough); ++bin) {
    near.count += bins_[bin].count;
    near.worst = std::max(near.worst, bins_[bin].worst);
    near.squares += bins_[bin].squares;
  }
  return near.count > 0 ? std::min(2 * near.worst, 8 * std::sqrt(near.squares / near.count)) : 0;
}

void ReferenceErrors::conclude(const Bounds& tolerance) {
  if (bins_.empty()) return;
  constexpr double enough = 16, tolerances = 4;
  constexpr std::size_t farthest = 8;
  rooms_.assign(bins, 0);
  rooms_[0] = roomFrom(0, 0, 0);
  for (std::size_t i = 1; i < bins_.size(); ++i) {
    const std::size_t first = std::max<std::size_t>(i - 1, 1);
    const auto upTo = [&](std::size_t bin) { return std::min<std::size_t>(bin, bins - 1); };
    const double near = roomFrom(first, upTo(i + 1), 0);
    const double allowed =
        tolerance.atol + tolerance.rtol * std::ldexp(1, static_cast<int>(i) - firstExponent);
    rooms_[i] = std::max(near, std::min(roomFrom(first, upTo(i + farthest), enough), tolerances * allowed));
  }
  bins_ = {};
}

}  // namespace wb
