// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/engine/compile/host/host_builder.h"

namespace wb {

struct Nvcc {
  std::string path;
  /// The name and version: "nvcc 13.0.88".
  std::string version;
};

/// Finds nvcc: $WARPBENCH_NVCC, the nvcc of PATH, of the toolkit in /usr/local/cuda, or of the packages
/// beside torch. Error: there is none; the hint says how to get one.
Result<Nvcc> findNvcc(const TorchInstallation& torch);

/// Compiles the whole file, host and device, with the stand-in header, in about 30 s. Like
/// HostBuilder::build.
Result<HostBuilt> buildWithNvcc(const Nvcc& nvcc, const HostBuilder& host, const HostUnit& unit,
                                const std::string& architecture, const CompileRequest& request);

}  // namespace wb
