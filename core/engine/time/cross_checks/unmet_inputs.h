// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/engine/call.h"
#include "core/engine/cases/kernel_context.h"
#include "core/model/case.h"

namespace wb {

/// One call of each side, in seconds of wall clock.
struct UnmetCall {
  double reference = 0, candidate = 0;
};

/// Calls both sides once on inputs that are drawn anew, which neither has met, the reference first. Where the
/// contents of timed calls are the same ones times a number, a kernel may make its answer out of one that it
/// gave before; here it has to work. Errors: inputs cannot be drawn, or a side fails.
Result<UnmetCall> callOnUnmet(const KernelContext& kernel, const Case& definition, const Literal& call,
                              const OutputPlan& plan, std::uint64_t seed);

}  // namespace wb
