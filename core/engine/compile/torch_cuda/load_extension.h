// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>

#include "core/engine/compile/host/host_builder.h"
#include "core/engine/compile/torch_cuda/device_build.h"

namespace wb {

/// Both parts of an extension, looked at.
struct BuiltParts {
  HostBuilt host;
  /// The device's syntax; an empty result that is ok where the host's part was not new.
  DeviceResult checked;
};

/// Compiles the host's part, and checks the device's beside that: all messages at once. Errors:
/// HostBuilder's, NVRTC's.
Result<BuiltParts> buildParts(HostBuilder& builder, const HostUnit& host, const DeviceBuild& device,
                              const CompileRequest& request);

/// An extension whose host part is built.
struct BuiltExtension {
  const HostBuilder& builder;
  const HostBuilt& host;
  const DeviceBuild& device;
  const CompileRequest& request;
  /// The function that CompileRequest::loadElsewhere is told of.
  std::string function{};
};

/// Loads the host part, compiles the kernels that it names and, where they can run, gives them to it. `open`
/// is called first with the shared object to load, where it can run here. With CompileRequest::loadElsewhere
/// the other process loads it and names the kernels. No kernels named: an empty result that is ok. Errors:
/// those of `open` or of the other process, NVRTC's, the CUDA runtime's, the disk's.
Result<DeviceResult> loadExtension(const BuiltExtension& built,
                                   const std::function<Result<void>(const std::filesystem::path&)>& open);

}  // namespace wb
