// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "core/engine/call.h"
#include "core/model/job.h"

namespace wb {

/// Whether so many numbers are in all answers that comparing them at once takes more memory than it saves
/// time; surelyClose() does not, on a device.
[[nodiscard]] bool areTooMany(std::span<const Stack> answers);

/// Whether the answers of many calls of one operator are all close to the expected ones by tolerance alone.
/// The device answers once for all of them. False also where it cannot tell: outputs that are not tensors,
/// complex ones, presets with a rule of their own, too much memory. Throws what torch throws.
[[nodiscard]] bool surelyClose(std::span<const Stack> actual, std::span<const Stack> expected,
                               const Tolerance& tolerance);

/// By how many times the tolerance an answer is off where it is furthest; infinite where surelyClose() could
/// not tell either, or a number stands where none should. Throws what torch throws.
[[nodiscard]] double furthestOff(const Stack& actual, const Stack& expected, const Tolerance& tolerance);

}  // namespace wb
