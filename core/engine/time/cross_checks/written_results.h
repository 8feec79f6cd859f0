// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/engine/call.h"

namespace wb {

/// Writes to some numbers of a call's results in the host's memory, as somebody may who got them, but for
/// those that share memory with its arguments. A kernel that gives the same memory again has to fill it
/// again. False where it cannot be written to.
[[nodiscard]] bool writeToResults(const Stack& results, const Stack& arguments, std::uint64_t seed);

}  // namespace wb
