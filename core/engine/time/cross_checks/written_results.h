// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/engine/call.h"

namespace wb {

/// Writes to some numbers of a call's results, as somebody may who got them, but for those that share memory
/// with its arguments. A kernel that gives the same memory again has to fill it again. On a GPU that is
/// enqueued on torch's stream. False where the host's memory cannot be written to.
[[nodiscard]] bool writeToResults(const Stack& results, const Stack& arguments, std::uint64_t seed);

}  // namespace wb
