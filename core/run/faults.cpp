// SPDX-License-Identifier: Apache-2.0
#include "core/run/faults.h"

#include <algorithm>

namespace wb {

namespace {
constexpr std::ptrdiff_t mostFaults = 1;
}  // namespace

void Faults::noteDone(std::size_t place) {
  std::erase_if(faults_, [&](const Fault& fault) { return fault.place == place && !fault.kernel; });
}

bool Faults::isUnfit(std::size_t place) const {
  const auto isItsOwn = [&](const Fault& fault) {
    return fault.place == place &&
           (!fault.kernel || std::none_of(faults_.begin(), faults_.end(), [&](const Fault& other) {
             return other.place != place && other.kernel == fault.kernel;
           }));
  };
  return std::count_if(faults_.begin(), faults_.end(), isItsOwn) > mostFaults;
}

bool Faults::isOut(std::size_t place) const {
  if (faults_.empty() || !isUnfit(place)) return false;
  for (std::size_t other = 0; other < hasFailed_.size(); ++other)
    if (other != place && !hasFailed_[other] && !isUnfit(other)) return true;
  return false;
}

}  // namespace wb
