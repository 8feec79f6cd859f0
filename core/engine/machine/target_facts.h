// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/model/event.h"

namespace wb {

/// What this machine and the device are. The names of a GPU that cannot be asked stay empty.
[[nodiscard]] Target describeTarget(const std::string& device, const std::string& torchVersion);

/// The index in "cuda:N"; 0 for "cuda"; -1 for any other device.
[[nodiscard]] int cudaIndex(const std::string& device);

/// The bytes of the cache in which timed inputs must not stay: a GPU's L2, or a core's own cache on a CPU.
[[nodiscard]] std::int64_t cacheBytes(const std::string& device);

}  // namespace wb
