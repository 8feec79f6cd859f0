// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/files/paths.h"
#include "core/engine/compile/compiler.h"

namespace wb {

struct TorchCppOptions {
  std::string compiler;  ///< path or name; "": $WARPBENCH_CXX, else clang++ from 14 on, else g++
  std::filesystem::path cache = cacheFolder();  ///< precompiled headers and built kernels
};

/// Language "torch_cpp": a C++ function over at::Tensor, built by the system's compiler against the loaded
/// LibTorch with a precompiled header and a build cache, and loaded into this process.
///
/// The function is found by name (kernelNames() in translation_unit.h). It has the operator's arguments as
/// parameters, of any C++ type that can hold them; trailing arguments with a default may be left out, and are
/// then refused in cases that give another value. It returns what the operator does; in-place and out
/// operators may return void.
[[nodiscard]] std::unique_ptr<Compiler> torchCppCompiler(const TorchCppOptions& options = {});

}  // namespace wb
