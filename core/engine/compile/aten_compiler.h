// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/engine/compile/compiler.h"

namespace wb {

/// The compiler of the language "aten", whose candidate is the reference operator itself: the null test,
/// which shows how far the measurement can be trusted.
[[nodiscard]] std::unique_ptr<Compiler> atenCompiler();

}  // namespace wb
