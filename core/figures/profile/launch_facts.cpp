// SPDX-License-Identifier: Apache-2.0
#include "core/figures/profile/launch_facts.h"

#include <algorithm>

#include "core/figures/profile/profile_facts.h"

namespace wb {

int threadsOf(const Launch& launch) {
  return launch.block[0] * std::max(launch.block[1], 1) * std::max(launch.block[2], 1);
}

std::int64_t blocksOf(const Launch& launch) {
  return std::int64_t{launch.grid[0]} * std::max(launch.grid[1], 1) * std::max(launch.grid[2], 1);
}

LaunchFacts factsOf(const Target& target, const Launch& launch) {
  LaunchFacts facts;
  facts.achieved = metricOf(launch, "sm__warps_active.avg.pct_of_peak_sustained_active");
  if (facts.achieved) *facts.achieved /= 100;
  const auto limits = limitsOf(target.architecture);
  if (!limits || threadsOf(launch) <= 0) return facts;
  facts.occupancy =
      occupancy(*limits, threadsOf(launch), launch.registers, launch.staticShared + launch.dynamicShared);
  if (target.multiprocessors > 0 && facts.occupancy->blocks > 0)
    facts.waves = waves(blocksOf(launch), facts.occupancy->blocks, target.multiprocessors);
  return facts;
}

}  // namespace wb
