// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/engine/compile/compiler.h"

namespace wb {

/// Language "aten": the candidate is the reference operator itself. The null test that shows how far the
/// measurement can be trusted.
[[nodiscard]] std::unique_ptr<Compiler> atenCompiler();

}  // namespace wb
