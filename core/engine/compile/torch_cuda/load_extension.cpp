// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/load_extension.h"

#include <future>
#include <optional>
#include <utility>

#include "core/engine/compile/torch_cuda/device_choice.h"
#include "core/engine/compile/torch_cuda/extension.h"
#include "core/engine/compile/torch_cuda/split/instances.h"
#include "core/engine/device/driver.h"

namespace wb {
namespace fs = std::filesystem;
namespace {

std::chrono::steady_clock::time_point after(double seconds) {
  return std::chrono::steady_clock::now() +
         std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1e3));
}

/// The other process says names alone. What is compiled for them is the text that is known here, and what is
/// wrong with it is said here too.
Result<DeviceResult> loadExtensionElsewhere(const BuiltExtension& built) {
  DeviceResult device;
  device.ok = device.cached = true;
  std::optional<Error> failed;
  const auto kernels = [&](const std::vector<std::string>& names, double seconds) -> Result<NamedKernels> {
    const auto fail = [&](Error error) -> Error { return failed.emplace(std::move(error)); };
    if (const std::string why = whyNoInstances(names, built.device.split); !why.empty())
      return fail({Stage::compile, "What was loaded cannot be the extension: " + why});
    DeviceBuild build = built.device;
    build.deadline = after(seconds);
    Result<DeviceResult> compiled = compileDevicePart(build, names);
    if (!compiled) return fail(std::move(compiled).error());
    device = *std::move(compiled);
    if (!device.ok) return Error{Stage::compile, "the extension's kernels do not compile"};
    return NamedKernels{device.cubin, device.loweredNames};
  };
  const Result<void> loaded = built.request.loadElsewhere(
      {built.host.entry.object, built.function, canRunOnDevice(built.request), kernels});
  if (failed) return *std::move(failed);
  if (!device.ok) return device;
  if (!loaded) return loaded.error();
  return device;
}

}  // namespace

Result<BuiltParts> buildParts(HostBuilder& builder, const HostUnit& host, const DeviceBuild& device,
                              const CompileRequest& request) {
  BuiltParts parts;
  if (auto known = builder.find(host, request)) {
    parts.host = *std::move(known);
    parts.checked.ok = true;
    return parts;
  }
  auto checking = std::async(std::launch::async, [&] { return checkDevicePart(device); });
  auto built = builder.build(host, request);
  auto checked = checking.get();
  if (!built) return built.error();
  if (!checked) return checked.error();
  parts.host = *std::move(built);
  parts.checked = *std::move(checked);
  return parts;
}

Result<DeviceResult> loadExtension(const BuiltExtension& built,
                                   const std::function<Result<void>(const fs::path&)>& open) {
  if (built.request.loadElsewhere) return loadExtensionElsewhere(built);
  const bool run = canRunOnDevice(built.request);
  // A copy for each load: a file that is loaded already would be loaded as it is, with the kernels of
  // another text.
  WB_TRY(auto scratch, ScratchFolder::make(built.builder.cache().folder()));
  const fs::path object = scratch.path() / "kernel.so";
  std::error_code failed;
  fs::copy_file(built.host.entry.object, object, failed);
  if (failed) return Error{Stage::compile, "cannot copy the built kernel: " + failed.message()};
  if (run) {
    WB_DO(open(object));
  }
  WB_TRY(const auto extension, Extension::load(object, run, built.builder.torch().root / "lib"));
  DeviceResult device;
  device.ok = device.cached = true;
  if (extension.kernels().empty()) return device;
  // A deadline of its own: making the precompiled header may have taken minutes.
  DeviceBuild build = built.device;
  build.deadline = after(built.request.deadlineSeconds);
  auto compiled = compileDevicePart(build, extension.kernels());
  if (!compiled || !compiled->ok || !run) return compiled;
  WB_DO(useDevice(deviceIndex(built.request.device)));
  WB_DO(extension.giveKernels(compiled->cubin, compiled->loweredNames));
  return compiled;
}

}  // namespace wb
