// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/engine/compile/module_builder.h"

namespace wb {

/// What extra_cflags and extra_cuda_cflags become here. Flags that change nothing about this way of compiling
/// are dropped (-std, warnings, architectures: the device's is used).
struct ModuleFlags {
  /// A flag that only torch's own build can obey.
  std::string unfit;
  /// Flags that change the host's code; they need a precompiled header of their own.
  std::vector<std::string> codeGeneration;
  /// Other flags for the host's code: -O3, include folders.
  std::vector<std::string> host;
  /// Lines such as "#define A 1\n" for -DA.
  std::string hostMacros, cudaMacros;
  /// Flags for NVRTC.
  std::vector<std::string> device;
  /// Flags for nvcc, where NVRTC is not enough.
  std::vector<std::string> nvcc;
};
[[nodiscard]] ModuleFlags readFlags(const ModuleSources& sources, bool clang);

}  // namespace wb
