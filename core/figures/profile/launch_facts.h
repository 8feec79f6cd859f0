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
  std::optional<Occupancy> occupancy;  ///< theoretical; nothing for an architecture that is not known
  std::optional<double> waves;
  std::optional<double> achieved;  ///< occupancy that was counted, 0 to 1
};
[[nodiscard]] LaunchFacts factsOf(const Target& target, const Launch& launch);

[[nodiscard]] int threadsOf(const Launch& launch);          ///< of a block
[[nodiscard]] std::int64_t blocksOf(const Launch& launch);  ///< of the grid

}  // namespace wb
