// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/engine/cases/kernel_context.h"
#include "core/engine/time/timing_bench.h"
#include "core/model/case.h"
#include "core/model/measurement.h"

namespace wb {

/// What timing one case came to.
struct TimeOutcome {
  std::optional<CaseTiming> timing;
  std::string reason;                ///< why there is no timing
  std::optional<CaseCheck> recheck;  ///< the case turned out wrong after all: a new verdict
};

/// Times candidate against reference over several input sets that only this process knows, each side on its
/// own copies, while no other process measures on this device; then looks by CUPTI whether what ran is what
/// was timed, and checks every set's answer once. Never throws.
[[nodiscard]] TimeOutcome timeOneCase(const KernelContext& kernel, const Case& definition,
                                      TimingBench& bench);

}  // namespace wb
