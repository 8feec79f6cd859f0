// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/engine/cases/kernel_context.h"

namespace wb {

/// Keeps in mind what the reference has answered, where it is to be asked once more.
void remember(const KernelContext& kernel, AnsweredHere answered);

/// Says that the reference gives another answer here than in a process in which no kernel has ever been, or
/// that the problem's get_inputs() gives other inputs, in some case that was remembered. "" where both give
/// the same, or where that cannot be known. Each case is asked about once.
[[nodiscard]] std::string otherThere(const KernelContext& kernel);

}  // namespace wb
