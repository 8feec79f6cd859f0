// SPDX-License-Identifier: Apache-2.0
#include "core/engine/examine.h"

#include "core/engine/compile/raw_cuda/nvrtc.h"
#include "core/engine/compile/toolchain.h"
#include "core/engine/cuda/driver.h"

namespace wb {
namespace {

Finding hostCompiler() {
  const Result<HostCompiler> compiler = findHostCompiler();
  if (!compiler)
    return {"C++ compiler", Finding::State::missing, compiler.error().text, compiler.error().hint};
  return {"C++ compiler", Finding::State::ok, compiler->version + " (" + compiler->path + ")", {}};
}

Finding headers() {
  const Result<TorchInstallation> torch = findTorch();
  if (!torch) return {"torch's headers", Finding::State::missing, torch.error().text, torch.error().hint};
  return {"torch's headers", Finding::State::ok, torch->includes.front().string(), {}};
}

Finding deviceCompiler() {
  const Result<std::string> name = nvrtcName();
  if (!name) return {"NVRTC", Finding::State::missing, name.error().text, name.error().hint};
  return {"NVRTC", Finding::State::ok, *name, {}};
}

Finding cudaDriver() {
  std::string whyNot;
  if (!driver(&whyNot))
    return {"CUDA driver", Finding::State::missing, whyNot,
            "without one, CUDA kernels compile but do not run, and everything else works on the CPU"};
  const Result<DeviceFacts> facts = deviceFacts(0);
  return {
      "CUDA driver", Finding::State::ok, facts ? "for CUDA " + facts->driverVersion : facts.error().text, {}};
}

}  // namespace

std::vector<Finding> examineTools() {
  return {hostCompiler(), headers(), deviceCompiler(), cudaDriver()};
}

}  // namespace wb
