// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/engine/compile/compiler.h"

namespace wb {

/// The compiler for Python kernels of the language "python" or "triton". A file with `…_kernel_impl` or a
/// function of the operator's name is a kernel for an operator; one with class ModelNew (or Model alone) is a
/// problem with a reference and inputs of its own. The interpreter is opened with the first kernel.
[[nodiscard]] std::unique_ptr<Compiler> pythonCompiler(std::string language);

}  // namespace wb
