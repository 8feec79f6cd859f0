// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/files/paths.h"
#include "core/engine/compile/compiler.h"

namespace wb {

struct TorchCppOptions {
  /// A path or a name; "" means $WARPBENCH_CXX, else clang++ from 14 on, else g++.
  std::string compiler;
  /// The folder of precompiled headers and built kernels.
  std::filesystem::path cache = cacheFolder();
};

/// The compiler of the language "torch_cpp": a C++ function over at::Tensor, built by the system's compiler
/// against the loaded LibTorch with a precompiled header and a build cache, and loaded into this process.
///
/// The function is found by name (kernelNames() in translation_unit.h). Its parameters are the operator's
/// arguments, of any C++ types that can hold them. Trailing arguments with a default may be left out; cases
/// that give them another value are then refused. It returns what the operator returns; in-place and out
/// operators may return void.
[[nodiscard]] std::unique_ptr<Compiler> torchCppCompiler(const TorchCppOptions& options = {});

}  // namespace wb
