// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "core/engine/cases/kernel_context.h"

namespace wb {

/// Whether an operator draws from torch's generators. Both sides start from the same state, so that a
/// candidate that draws from them as ATen does is right, and one with a generator of its own cannot be judged
/// by its values.
[[nodiscard]] bool isRandom(const c10::OperatorHandle& op);
/// Whether that, or a problem's reference, draws random numbers, as far as that was seen.
[[nodiscard]] bool isRandom(const KernelContext& kernel);
/// Runs a call of the reference, and sees of a problem's whether it draws from torch's generator of the
/// device. In a process of its own it has another one, and nothing is seen.
Result<void> runSeeingDraws(const KernelContext& kernel, const std::function<Result<void>()>& run);

/// Whether an operator returns uninitialised memory, as empty_like does. Its values mean nothing, and the
/// outcome of comparing them would be luck.
[[nodiscard]] bool isUninitialised(const c10::OperatorHandle& op);

}  // namespace wb
