// SPDX-License-Identifier: Apache-2.0
#include "core/engine/machine/examine.h"

#include <fmt/format.h>

#include <cstdint>

#include "core/engine/compile/host/toolchain.h"
#include "core/engine/compile/nvrtc/nvrtc.h"
#include "core/engine/cupti/counters.h"
#include "core/engine/cupti/cupti_library.h"
#include "core/engine/device/driver.h"

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

Finding profiler() {
  std::string whyNot;
  const Cupti* library = cupti(&whyNot);
  if (library == nullptr) return {"CUPTI", Finding::State::missing, whyNot, "without it nothing is profiled"};
  std::uint32_t version = 0;
  library->getVersion(&version);
  const std::string found = fmt::format("CUPTI API {}", version);
  if (driver() == nullptr) return {"CUPTI", Finding::State::ok, found, {}};
  if (const std::string remedy = countersRefused(); !remedy.empty())
    return {"CUPTI", Finding::State::missing, found + ", without the device's counters", remedy};
  return {"CUPTI", Finding::State::ok, found + ", with the device's counters", {}};
}

}  // namespace

std::vector<Finding> examineTools() {
  return {hostCompiler(), headers(), deviceCompiler(), cudaDriver(), profiler()};
}

}  // namespace wb
