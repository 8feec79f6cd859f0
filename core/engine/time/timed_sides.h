// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "core/base/result.h"
#include "core/engine/call.h"
#include "core/engine/cases/kernel_context.h"

namespace wb {

/// The reference's call as a clock samples it, which goes the same way as the candidate's: in a process of
/// its own, or through Python where both are a problem's models. Errors: what preparing says.
[[nodiscard]] Result<std::unique_ptr<PreparedCall>> timedReference(const KernelContext& kernel,
                                                                   const BoundCall& call,
                                                                   const OutputPlan& plan);

/// Sides::enter for this kernel: puts a side's state in force here, or wakes its process; empty where there
/// is neither.
[[nodiscard]] std::function<void(bool candidate)> enterSide(const KernelContext& kernel);

}  // namespace wb
