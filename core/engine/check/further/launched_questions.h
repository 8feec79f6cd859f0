// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/cases/kernel_context.h"
#include "core/model/case.h"
#include "core/model/measurement.h"

namespace wb {

/// Asks a kernel that has no code on the host, and so is launched by this process on its GPU, at other shapes
/// and with other values than its job names: what is wrong there is said in CaseCheck::elsewhere and changes
/// no verdict. False: it made a fault there or does not end, so this process can use the GPU no more.
bool askLaunched(const KernelContext& kernel, const Case& definition, CaseCheck& check);

}  // namespace wb
