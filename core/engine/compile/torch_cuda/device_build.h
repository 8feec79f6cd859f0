// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/engine/compile/build_exchange.h"
#include "core/engine/compile/nvrtc/nvrtc.h"
#include "core/engine/compile/torch_cuda/split/splitter.h"
#include "core/model/diagnostic.h"
#include "core/model/event.h"

namespace wb {

/// The input for compiling the device's part.
struct DeviceBuild {
  const Split& split;
  /// The path of the kernel's file, for messages.
  std::string path;
  /// "sm_90"
  std::string architecture;
  /// nvrtcName().
  std::string toolchain;
  std::filesystem::path torchInclude;
  std::chrono::steady_clock::time_point deadline;
  std::stop_token stop;
  /// Options for NVRTC besides the usual ones.
  std::vector<std::string> options{};
  /// How binaries come from other machines and go to them; null where they do not.
  const BuildExchange* exchange = nullptr;
  /// Which torch's headers there are.
  std::string torch{};
};

struct DeviceResult {
  bool ok = false, cached = false;
  std::string cubin;
  /// The lowered names of the kernels that were asked for.
  std::vector<std::string> loweredNames;
  /// The messages, at places of the user's files.
  std::vector<Diagnostic> diagnostics;
  std::vector<Artifact> artifacts;
  /// What NVRTC lacks (a header, a name of torch or of the standard library), where it failed because of
  /// that; nvcc may have it.
  std::string lacking;
};

/// Checks syntax and names, without instances of templates. It takes about 0.1 s.
Result<DeviceResult> checkDevicePart(const DeviceBuild& build);

/// Compiles all these kernels ("ns::relu<float>") into one binary, or takes it from the cache. Errors: NVRTC
/// is missing, a stop, the deadline.
Result<DeviceResult> compileDevicePart(const DeviceBuild& build, const std::vector<std::string>& names);

}  // namespace wb
