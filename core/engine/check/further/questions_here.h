// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>

#include "core/engine/cases/kernel_context.h"
#include "core/model/case.h"
#include "core/model/measurement.h"

namespace wb {

/// Asks a kernel in this process for more than its job does: one on a GPU, since no fork has one, and one
/// that did not answer in a fork. What is wrong is said in `remark` and changes no verdict. No question
/// begins after `until`, which may move meanwhile, and before each `letOthers` is called (AskedApart).
///
/// `isBrief`: a problem's kernel, which has answered in a fork, is asked one question of each kind.
///
/// It comes when all else is done with the kernel. False: it made a fault of the GPU, does not end there, or
/// wrote outside of its tensors in memory of the host, so that nobody should go on in this process. A kernel
/// whose code on the host crashes ends it.
bool askHere(const KernelContext& kernel, const Case& definition,
             const std::chrono::steady_clock::time_point& until, const CaseCheck& check, Remark& remark,
             const std::function<void()>& letOthers = {}, bool isBrief = false);

}  // namespace wb
