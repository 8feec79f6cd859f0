// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "core/engine/cases/kernel_context.h"
#include "core/model/case.h"
#include "core/model/measurement.h"

namespace wb {

/// Asks a kernel on its GPU, in this process, for more than its job does: no fork has a GPU. What is wrong is
/// said in CaseCheck::elsewhere and changes no verdict. No question begins after `until`.
///
/// It comes when all else is done with the kernel. False: it made a fault or does not end, so that this
/// process can use the GPU no more. A kernel whose code on the host crashes ends this process.
bool askOnGpu(const KernelContext& kernel, const Case& definition,
              std::chrono::steady_clock::time_point until, CaseCheck& check);

}  // namespace wb
