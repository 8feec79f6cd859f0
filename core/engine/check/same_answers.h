// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "core/engine/call.h"
#include "core/model/job.h"

namespace wb {

/// Are the answers of many calls of one operator close to the expected ones, all of them, by tolerance
/// alone? Asked of the device in one go. False also where it cannot say: outputs that are no tensors, complex
/// ones, presets with a rule of their own, too much memory. Throws what torch throws.
[[nodiscard]] bool surelyClose(std::span<const Stack> actual, std::span<const Stack> expected,
                               const Tolerance& tolerance);

/// The same for arguments that must not have changed, bit for bit.
[[nodiscard]] bool surelySame(std::span<const Stack> before, std::span<const Stack> after);

}  // namespace wb
