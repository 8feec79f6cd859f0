// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/kernel_context.h"

namespace wb {

/// The reference's outputs (and changed arguments, after them) with every floating input, and every floating
/// dtype that is asked for, widened to float64. Empty when the operator does not take float64 or is float64
/// already. Throws only for lack of memory and the like.
[[nodiscard]] Stack oracleOutputs(const KernelContext& kernel, const Stack& arguments);

}  // namespace wb
