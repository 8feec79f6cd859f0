// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/device_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/files/source_folder.h"
#include "core/engine/compile/diagnostics.h"
#include "core/engine/compile/nvrtc/cubin_cache.h"
#include "core/engine/compile/torch_cuda/device_headers.h"

namespace wb {
namespace {

std::vector<std::string> options(const DeviceBuild& build) {
  std::vector<std::string> all{
      "--gpu-architecture=" + build.architecture, "--ptxas-options=-v", "-std=c++20", "-lineinfo",
      // For constexpr functions, and members of classes, that have no qualifier.
      "--device-as-default-execution-space",
      // torch.utils.cpp_extension gives these too.
      "-D__CUDA_NO_HALF_OPERATORS__", "-D__CUDA_NO_HALF_CONVERSIONS__", "-D__CUDA_NO_HALF2_OPERATORS__",
      "-D__CUDA_NO_BFLOAT16_CONVERSIONS__", "-DNDEBUG"};
  if (const auto folder = sourceFolder(build.path); !folder.empty()) all.push_back("-I" + folder.string());
  all.push_back("-I" + build.torchInclude.string());
  for (const auto& folder : cudaIncludeFolders()) all.push_back("-I" + folder);
  all.insert(all.end(), build.options.begin(), build.options.end());
  return all;
}

const std::string& pathOf(const SplitFile& file, const DeviceBuild& build) {
  return file.name.empty() ? build.path : file.path;
}

NvrtcRequest requestFor(const DeviceBuild& build) {
  NvrtcRequest request;
  request.source = build.split.files[0].device.text();
  request.fileName = build.path;
  request.prelude = fmt::format("#include \"{}\"\n", devicePrelude);
  request.options = options(build);
  request.deadline = build.deadline;
  request.stop = build.stop;
  request.headers = deviceHeaders();
  for (const auto& file : build.split.files)
    if (!file.name.empty())
      request.headers.emplace_back(file.name,
                                   fmt::format("#line 1 \"{}\"\n{}", file.path, file.device.text()));
  for (const auto& file : build.split.files)
    request.files.push_back({pathOf(file, build), labelOf(file, build.path)});
  request.folders = {{build.torchInclude.string(), "TORCH " + build.torch}};
  if (const auto folder = sourceFolder(build.path); !folder.empty())
    request.folders.push_back({folder.string(), "SOURCE"});
  return request;
}

/// Whether the message is about something that only nvcc with torch's headers has.
bool isLacking(const Diagnostic& d, const DeviceBuild& build) {
  const auto says = [&](std::string_view text) { return d.message.find(text) != std::string::npos; };
  if (says("cannot open source file")) return true;
  for (const std::string_view space : {"std", "at", "c10", "torch"})
    if (says(fmt::format("namespace \"{}\" has no member", space)) ||
        says(fmt::format("namespace \"{}::", space)))
      return true;
  // It is inside CUDA's or torch's headers.
  return std::none_of(build.split.files.begin(), build.split.files.end(),
                      [&](const SplitFile& file) { return d.place.file == pathOf(file, build); });
}

void readLog(const DeviceBuild& build, const NvrtcResult& result, DeviceResult& out) {
  bool keepNotes = false;
  for (auto& d : parseDiagnostics(compilerMessages(result.log), "nvrtc")) {
    const auto file =
        std::find_if(build.split.files.begin(), build.split.files.end(),
                     [&](const SplitFile& each) { return d.place.file == pathOf(each, build); });
    const bool own = file != build.split.files.end();
    if (d.severity == Severity::error && out.lacking.empty() && isLacking(d, build))
      out.lacking = d.message.substr(0, d.message.find('\n'));
    if (d.severity == Severity::note ? !keepNotes : d.severity == Severity::warning && !own) continue;
    keepNotes = true;
    if (own) {
      const auto at = file->device.sourceOf({d.place.line, d.place.column});
      d.place.line = at.line;
      d.place.column = at.column;
    }
    out.diagnostics.push_back(std::move(d));
  }
}

/// The text of one kernel's PTX.
std::string assemblyOf(const std::string& ptx, const std::string& lowered) {
  const auto entry = ptx.find(".entry " + lowered + "(");
  if (entry == std::string::npos) return {};
  const auto line = ptx.rfind('\n', entry);
  const auto start = line == std::string::npos ? 0 : line + 1;
  const auto end = ptx.find("\n}", entry);
  return ptx.substr(start, end == std::string::npos ? std::string::npos : end + 3 - start);
}

void addArtifacts(const NvrtcResult& result, const std::vector<std::string>& names,
                  const std::string& architecture, DeviceResult& out) {
  const auto all = ptxasFigures(result.log);
  for (std::size_t i = 0; i < names.size() && i < out.loweredNames.size(); ++i) {
    Artifact artifact;
    artifact.name = names[i];
    artifact.architecture = architecture;
    for (const auto& figures : all) {
      if (figures.loweredName != out.loweredNames[i]) continue;
      artifact.registers = figures.registers;
      artifact.spillLoads = figures.spillLoads;
      artifact.spillStores = figures.spillStores;
      artifact.sharedBytes = figures.sharedBytes;
    }
    artifact.binaryBytes = static_cast<std::int64_t>(result.cubin.size());
    artifact.assembly = assemblyOf(result.ptx, out.loweredNames[i]);
    out.artifacts.push_back(std::move(artifact));
  }
}

}  // namespace

Result<DeviceResult> checkDevicePart(const DeviceBuild& build) {
  auto request = requestFor(build);
  request.options.emplace_back("--fdevice-syntax-only");
  WB_TRY(const auto compiled, compileWithNvrtc(request));
  DeviceResult result;
  result.ok = compiled.ok;
  readLog(build, compiled, result);
  return result;
}

Result<DeviceResult> compileDevicePart(const DeviceBuild& build, const std::vector<std::string>& names) {
  auto request = requestFor(build);
  request.moreNames = names;
  const auto key = cubinKey(request, build.toolchain);
  DeviceResult result;
  auto compiled = readCubin(key, request, build.exchange);
  result.cached = compiled.has_value();
  if (!compiled) {
    WB_TRY(compiled, compileWithNvrtc(request));
    if (compiled->ok) writeCubin(key, request, *compiled, build.exchange);
  }
  result.ok = compiled->ok;
  result.loweredNames = compiled->moreLoweredNames;
  readLog(build, *compiled, result);
  if (result.ok) addArtifacts(*compiled, names, build.architecture, result);
  result.cubin = std::move(compiled->cubin);
  return result;
}

}  // namespace wb
