// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/engine/call.h"
#include "core/engine/cases/kernel_context.h"
#include "core/model/case.h"

namespace wb {

/// What each side takes for a call, in seconds of wall clock, and what is wrong with the candidate's:
/// "fails", "gives a wrong answer"; "" where nothing is.
struct UnmetCall {
  double reference = 0, candidate = 0;
  std::string wrong{};
};

/// Calls both sides once on inputs that are drawn anew, which neither has met, the candidate first, so that
/// the right answer is nowhere while it works. Where timed calls meet the same numbers again, be it times a
/// factor, a kernel may make its answer out of one that it gave before; here it has to work. Errors: inputs
/// cannot be drawn, or the reference fails.
Result<UnmetCall> callOnUnmet(const KernelContext& kernel, const Case& definition, const Literal& call,
                              const OutputPlan& plan, std::uint64_t seed);

/// The same for `calls` calls in a row, each on a draw of its own, as samples of calls that are timed follow
/// each other: before the first of them each side is called on one more draw, without a clock. There are
/// fewer calls where it takes long to draw. Times are for one call of them. One of the answers is judged, and
/// nobody can know which.
Result<UnmetCall> callsOnUnmet(const KernelContext& kernel, const Case& definition, const Literal& call,
                               const OutputPlan& plan, std::uint64_t seed, int calls);

}  // namespace wb
