// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/engine/compile/nvrtc/nvrtc.h"
#include "core/engine/compile/torch_cuda/split/splitter.h"
#include "core/model/diagnostic.h"
#include "core/model/event.h"

namespace wb {

/// What the device's part is compiled with.
struct DeviceBuild {
  const Split& split;
  std::string path;          ///< of the kernel's file, for messages
  std::string architecture;  ///< "sm_90"
  std::string toolchain;     ///< nvrtcName()
  std::filesystem::path torchInclude;
  std::chrono::steady_clock::time_point deadline;
  std::stop_token stop;
  std::vector<std::string> options{};  ///< besides its own, for NVRTC
};

struct DeviceResult {
  bool ok = false, cached = false;
  std::string cubin;
  std::vector<std::string> loweredNames;  ///< of the kernels asked for
  std::vector<Diagnostic> diagnostics;    ///< at the user's places
  std::vector<Artifact> artifacts;
  /// It failed over what NVRTC has not (a header, a name of torch's or of the standard library): nvcc may do
  /// it.
  std::string lacking;
};

/// Syntax and names, without templates' instances. Some 0.1 s.
Result<DeviceResult> checkDevicePart(const DeviceBuild& build);

/// All these kernels ("ns::relu<float>") into one binary, or from the cache. Errors: NVRTC missing, stopped,
/// the deadline.
Result<DeviceResult> compileDevicePart(const DeviceBuild& build, const std::vector<std::string>& names);

}  // namespace wb
