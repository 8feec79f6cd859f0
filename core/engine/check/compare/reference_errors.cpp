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

void ReferenceErrors::conclude() {
  if (bins_.empty()) return;
  rooms_.assign(bins, 0);
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    Bin near;
    const std::size_t from = i > 1 ? i - 1 : i, to = i == 0 ? 0 : std::min<std::size_t>(i + 1, bins - 1);
    for (std::size_t j = from; j <= to; ++j) {
      near.count += bins_[j].count;
      near.worst = std::max(near.worst, bins_[j].worst);
      near.squares += bins_[j].squares;
    }
    if (near.count > 0) rooms_[i] = std::min(2 * near.worst, 8 * std::sqrt(near.squares / near.count));
  }
  bins_ = {};
}

}  // namespace wb
