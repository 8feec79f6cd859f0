// SPDX-License-Identifier: Apache-2.0
// The list of the languages' compilers.
#pragma once

#include <memory>
#include <vector>

#include "core/engine/compile/compiler.h"

namespace wb {

/// All compilers; they are made once per worker.
[[nodiscard]] std::vector<std::unique_ptr<Compiler>> compilers();

}  // namespace wb
