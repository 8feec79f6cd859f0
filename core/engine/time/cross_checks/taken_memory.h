// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace wb {

/// How long the C library takes for a block of so many bytes, as torch asks for one, in seconds: the median
/// of a few. It looks for one among those that are free, which takes long where somebody has left thousands
/// of pieces that are just too small.
[[nodiscard]] double secondsToTakeMemory(std::size_t bytes);

}  // namespace wb
