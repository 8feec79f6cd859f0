// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/engine/compile/compiler.h"

namespace wb {

/// Language "raw_cuda": `__global__` functions with a `/* warpbench` header (contract:
/// resources/help/raw-cuda.md), compiled by NVRTC once per dtype, launched by the worker through the driver
/// API. Needs no GPU to compile.
[[nodiscard]] std::unique_ptr<Compiler> rawCudaCompiler();

}  // namespace wb
