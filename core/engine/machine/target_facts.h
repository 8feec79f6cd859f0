// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/model/event.h"

namespace wb {

/// What this machine and the device are. A GPU that cannot be asked has its names empty.
[[nodiscard]] Target describeTarget(const std::string& device, const std::string& torchVersion);

/// Index of "cuda:N"; 0 for "cuda"; -1 for any other device.
[[nodiscard]] int cudaIndex(const std::string& device);

/// Bytes of the cache that timed inputs must not stay in: a GPU's L2; on a CPU a core's own.
[[nodiscard]] std::int64_t cacheBytes(const std::string& device);

}  // namespace wb
