// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>

#include "core/model/plan/planned_cases.h"

namespace wb {

/// The few cases about which a kernel is asked more than a job names: the one whose tensors are largest,
/// since sizes far below it lie between those of a suite, and others that are drawn from a number, of those
/// with usual values. Of a problem, whose cases are the same one with other inputs, it is one. Cases that
/// other workers have are drawn as well, and left to them, so that all together ask about as much as one
/// alone.
[[nodiscard]] std::set<const Case*> drawnToAsk(const PlannedCases& cases, std::uint64_t seed);

}  // namespace wb
