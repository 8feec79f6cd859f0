// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/files/paths.h"
#include "core/engine/compile/compiler.h"

namespace wb {

struct TorchCudaOptions {
  /// The compiler of the host's part, as in TorchCppOptions.
  std::string compiler;
  std::filesystem::path cache = cacheFolder();
  /// With this, prepare() makes the precompiled header even where there is no GPU.
  bool prepareAlways = false;
};

/// The compiler of the language "torch_cuda": a CUDA extension, which is a `.cu` with kernels and the
/// function over at::Tensor that launches them.
///
/// The file is taken apart (splitter.h): the host's part goes to the system's compiler with a precompiled
/// header, the device's to NVRTC, which compiles each instance that the host's part names. Together this
/// takes 1 to 2 s. What cannot be taken apart is compiled whole by nvcc, in about 30 s; onLog says why.
/// Compiling needs no GPU.
[[nodiscard]] std::unique_ptr<Compiler> torchCudaCompiler(const TorchCudaOptions& options = {});

}  // namespace wb
