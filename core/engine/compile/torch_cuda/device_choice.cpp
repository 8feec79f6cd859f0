// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/device_choice.h"

#include <fmt/format.h>

#include <cstdlib>

#include "core/engine/compile/nvrtc/nvrtc.h"
#include "core/engine/device/driver.h"

namespace wb {
namespace {

constexpr const char* standardArchitecture = "sm_90";

}  // namespace

std::string architectureFor(const CompileRequest& request) {
  return request.architecture.starts_with("sm_") ? request.architecture : standardArchitecture;
}

bool canRunOnDevice(const CompileRequest& request) {
  return request.canRun && request.device.starts_with("cuda") && driver() != nullptr;
}

std::string whyNotRun(const CompileRequest& request) {
  std::string why;
  if (driver(&why) != nullptr)
    why = request.device.starts_with("cuda") ? "the device cannot be used" : "this run is on the CPU";
  return fmt::format("Compiled for {}; not run: {}.", architectureFor(request), why);
}

int deviceIndex(const std::string& device) {
  const auto colon = device.find(':');
  return colon == std::string::npos ? 0 : std::atoi(device.c_str() + colon + 1);
}

std::vector<std::filesystem::path> runtimeIncludes() {
  std::vector<std::filesystem::path> folders;
  for (const auto& folder : cudaIncludeFolders()) folders.emplace_back(folder);
  return folders;
}

}  // namespace wb
