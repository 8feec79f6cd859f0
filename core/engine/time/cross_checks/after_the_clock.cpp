// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/cross_checks/after_the_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/base/quantity.h"
#include "core/model/measurement.h"

namespace wb {
namespace {

/// Fewer may all have been interrupted.
constexpr std::size_t fewest = 6;
/// To come back takes nothing. To leave a side may take the candidate longer, as what it has set is put away.
/// Shares are of the time that was claimed.
constexpr double mostReturning = 5e-6, shareReturning = 0.2, mostLeaving = 2e-4, shareLeaving = 1;

}  // namespace

void AfterTheClock::stopped(bool candidate, double seconds, const Moment& at, const Moment& now) {
  Side& side = sides_[candidate ? 1 : 0];
  side.claimed.push_back(seconds);
  side.returning.push_back(secondsBetween(at, now));
  side.at = at;
}

void AfterTheClock::left(bool candidate, const Moment& now) {
  Side& side = sides_[candidate ? 1 : 0];
  if (side.at.at > 0) side.leaving.push_back(secondsBetween(std::exchange(side.at, {}), now));
}

std::string AfterTheClock::words() const {
  const auto& [reference, candidate] = sides_;
  if (std::min({reference.leaving.size(), candidate.leaving.size()}) < fewest) return {};
  const double claimed = median(candidate.claimed);
  const auto over = [](const std::vector<double>& mine, const std::vector<double>& others) {
    return median(mine) - median(others);
  };
  const double returning = over(candidate.returning, reference.returning),
               leaving = over(candidate.leaving, reference.leaving);
  const bool goesOn = returning > std::max(mostReturning, shareReturning * claimed) ||
                      leaving > std::max(mostLeaving, shareLeaving * claimed);
  if (!goesOn) return {};
  return fmt::format("each sample of the kernel goes on for {} after its clock has stopped at {}",
                     formatSeconds(std::max(returning, leaving)), formatSeconds(claimed));
}

}  // namespace wb
