// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/engine/compile/compiler.h"

namespace wb {

/// The compiler of the language "raw_cuda": `__global__` functions with a `/* warpbench` header (described in
/// resources/help/raw-cuda.md), compiled by NVRTC once per dtype, and launched by the worker through the
/// driver's interface. Compiling needs no GPU.
[[nodiscard]] std::unique_ptr<Compiler> rawCudaCompiler();

}  // namespace wb
