// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/engine/compile/module_builder.h"

namespace wb {

/// What extra_cflags and extra_cuda_cflags come to here. Flags that change nothing about our way of compiling
/// (-std, warnings, architectures: ours is the device's) are dropped.
struct ModuleFlags {
  std::string unfit;                        ///< a flag that only torch's own build can obey
  std::vector<std::string> codeGeneration;  ///< of the host's code: need a precompiled header of their own
  std::vector<std::string> host;            ///< of the host's code besides: -O3, include folders
  std::string hostMacros, cudaMacros;       ///< "#define A 1\n" for -DA
  std::vector<std::string> device;          ///< for NVRTC
  std::vector<std::string> nvcc;            ///< for nvcc, where NVRTC does not do
};
[[nodiscard]] ModuleFlags readFlags(const ModuleSources& sources, bool clang);

}  // namespace wb
