// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "core/model/event.h"
#include "core/model/metrics/occupancy.h"
#include "core/model/profile.h"

namespace wb {

/// What follows from how a kernel was launched.
struct LaunchFacts {
  /// The theoretical occupancy; nothing for an architecture that is not known.
  std::optional<Occupancy> occupancy;
  std::optional<double> waves;
  /// The occupancy that was counted, 0 to 1.
  std::optional<double> achieved;
};
[[nodiscard]] LaunchFacts factsOf(const Target& target, const Launch& launch);

/// The threads of a block.
[[nodiscard]] int threadsOf(const Launch& launch);
/// The blocks of the grid.
[[nodiscard]] std::int64_t blocksOf(const Launch& launch);

}  // namespace wb
