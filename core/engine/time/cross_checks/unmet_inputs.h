// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/engine/call.h"
#include "core/engine/cases/kernel_context.h"
#include "core/model/case.h"

namespace wb {

/// One call of each side, in seconds of wall clock, and what is wrong with the candidate's: "fails", "gives a
/// wrong answer"; "" where nothing is.
struct UnmetCall {
  double reference = 0, candidate = 0;
  std::string wrong{};
};

/// Calls both sides once on inputs that are drawn anew, which neither has met, the candidate first, so that
/// the right answer is nowhere while it works. Where timed calls meet the same numbers again, be it times a
/// factor, a kernel may make its answer out of one that it gave before; here it has to work. Errors: inputs
/// cannot be drawn, or the reference fails. `areWarm`: right before its call each side is called on others
/// that it has not met either, so that memory and code are as near as when many calls follow each other.
Result<UnmetCall> callOnUnmet(const KernelContext& kernel, const Case& definition, const Literal& call,
                              const OutputPlan& plan, std::uint64_t seed, bool areWarm = false);

}  // namespace wb
