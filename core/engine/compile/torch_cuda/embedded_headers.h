// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "core/engine/compile/torch_cuda/device_headers.h"

namespace wb {

/// The files of the folder `device`, which CMake puts into the program.
[[nodiscard]] std::span<const DeviceHeader> embeddedHeaders();

}  // namespace wb
