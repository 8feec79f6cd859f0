// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/engine/compile/compiler.h"

namespace wb {

// What a guest asks its judge while it loads a kernel. The judge keeps what it builds, and nothing that was
// built in a guest.

/// What the judge has built, or builds now, of this very text; nothing where it builds no such text.
[[nodiscard]] std::optional<BuiltText> builtByJudge(const TextToBuild& text);

/// The kernels that the loaded extension names, which the judge compiles from its own text. Errors: the
/// judge's, and more names than a question can hold.
Result<NamedKernels> kernelsByJudge(const std::vector<std::string>& names);

}  // namespace wb
