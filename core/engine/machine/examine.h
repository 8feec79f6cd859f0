// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/engine/engine.h"

namespace wb {

/// Looks for what the engine's compilers need: a C++ compiler, NVRTC, the CUDA driver.
[[nodiscard]] std::vector<Finding> examineTools();

}  // namespace wb
