// SPDX-License-Identifier: Apache-2.0
#include "core/run/paces.h"

#include <algorithm>

namespace wb {

namespace {
constexpr double slowest = 1e-3, fastest = 1e3;
}  // namespace

void Paces::note(std::size_t place, std::uint32_t kernel, Stage stage, double seconds) {
  Mean& mean = means_[{kernel, stage}];
  ++mean.steps;
  mean.seconds += seconds;
  places_[place].took += seconds;
  places_[place].usual += mean.seconds / static_cast<double>(mean.steps);
}

void Paces::noteLoad(std::uint32_t kernel, double seconds) {
  Mean& mean = loads_[kernel];
  ++mean.steps;
  mean.seconds += seconds;
}

double Paces::load(std::uint32_t kernel) const {
  const auto found = loads_.find(kernel);
  return found == loads_.end() ? 0 : found->second.seconds / static_cast<double>(found->second.steps);
}

double Paces::speed(std::size_t place) const {
  const Pace& pace = places_[place];
  return pace.took > 0 ? std::clamp(pace.usual / pace.took, slowest, fastest) : 1;
}

std::optional<double> Paces::expected(std::size_t place, std::uint32_t kernel, Stage stage) const {
  const auto found = means_.find({kernel, stage});
  if (found == means_.end()) return std::nullopt;
  return found->second.seconds / static_cast<double>(found->second.steps) / speed(place);
}

}  // namespace wb
