// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/nvcc.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>

#include "core/base/files/file.h"
#include "core/base/files/hash.h"
#include "core/base/files/source_folder.h"
#include "core/base/process/process.h"
#include "core/base/process/process_start.h"
#include "core/base/quantity.h"
#include "core/engine/compile/host/build_walls.h"
#include "core/engine/compile/host/precompiled_header.h"
#include "core/engine/compile/nvrtc/nvrtc.h"

namespace wb {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> places(const TorchInstallation& torch) {
  std::vector<std::string> all;
  if (std::string chosen = startVariable("WARPBENCH_NVCC"); !chosen.empty()) all.push_back(std::move(chosen));
  const std::string path = startVariable("PATH");
  std::string_view rest = path;
  while (!rest.empty()) {
    const auto colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) all.push_back(std::string(rest.substr(0, colon)) + "/nvcc");
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  all.emplace_back("/usr/local/cuda/bin/nvcc");
  all.push_back((torch.root.parent_path() / "nvidia/cu13/bin/nvcc").string());
  return all;
}

/// The version in a line: "Cuda compilation tools, release 13.0, V13.0.88" → "13.0.88".
std::string versionIn(const std::string& said) {
  const auto at = said.rfind(", V");
  if (at == std::string::npos) return "of an unknown version";
  return said.substr(at + 3, said.find_first_not_of("0123456789.", at + 3) - at - 3);
}

/// The host's compiler for nvcc, which knows g++ of its age, but not always a newer clang++.
HostCompiler hostCompiler(const HostBuilder& host) {
  static const Result<HostCompiler> gcc = findHostCompiler("g++");
  return host.compiler().clang && gcc ? *gcc : host.compiler();
}

std::vector<std::string> options(const HostBuilder& host, const std::string& architecture,
                                 const CompileRequest& request) {
  std::vector<std::string> all{"-std=c++20", "-O2", "-arch=" + architecture, "-lineinfo",
                               "--expt-relaxed-constexpr", "--expt-extended-lambda", "-Xptxas", "-v",
                               "-Xcompiler", "-fPIC", "-Xcompiler", "-fno-gnu-unique", "-DNDEBUG",
                               "-D__CUDA_NO_HALF_OPERATORS__", "-D__CUDA_NO_HALF_CONVERSIONS__",
                               "-D__CUDA_NO_HALF2_OPERATORS__", "-D__CUDA_NO_BFLOAT16_CONVERSIONS__",
                               "-DTORCH_EXTENSION_NAME=warpbench_kernel", "-DTORCH_API_INCLUDE_EXTENSION_H",
                               // Torch's headers cause many of nvcc's warnings.
                               "-diag-suppress=20012,20011,20014,177,550,940"};
  for (const auto& folder : host.torch().includes) all.insert(all.end(), {"-isystem", folder.string()});
  if (const fs::path folder = sourceFolder(request.source.path); !folder.empty())
    all.insert(all.end(), {"-I", folder.string()});
  return all;
}

}  // namespace

Result<Nvcc> findNvcc(const TorchInstallation& torch) {
  for (const auto& place : places(torch)) {
    if (access(place.c_str(), X_OK) != 0) continue;
    const auto said = runToEnd({{place, "--version"}, {}, {{"LC_ALL", "C"}}}, std::chrono::seconds(20));
    if (said && said->ok()) return Nvcc{place, "nvcc " + versionIn(said->out)};
  }
  return Error{
      Stage::compile, "nvcc was not found",
      "run `packaging/setup build`, which installs it from PyPI beside torch, or set WARPBENCH_NVCC"};
}

Result<HostBuilt> buildWithNvcc(const Nvcc& nvcc, const HostBuilder& host, const HostUnit& unit,
                                const std::string& architecture, const CompileRequest& request) {
  WB_TRY(const auto headers, ensureStandinHeaders(host.torch(), host.cacheFolder()));
  auto with = options(host, architecture, request);
  with.insert(with.end(), unit.options.begin(), unit.options.end());
  const HostCompiler compiler = hostCompiler(host);
  const std::string key = contentHash({unit.text, nvcc.version, standardHeadersKey(compiler, host.torch()),
                                       host.placelessOptions(with, request.source)});
  if (auto entry = findBuilt(host.cache(), key, request)) return HostBuilt{*std::move(entry), true, true, {}};

  WB_TRY(auto scratch, ScratchFolder::make(host.cache().folder()));
  WB_DO(writeFileAtomically(scratch.path() / "kernel.cu", unit.text));
  Command command{{nvcc.path, "-ccbin", compiler.path, "-isystem", headers.string()},
                  scratch.path(),
                  {{"LC_ALL", "C.UTF-8"}}};
  command.argv.insert(command.argv.end(), with.begin(), with.end());
  for (const char* word : {"-include", "warpbench_standin.h", "-MMD", "-MF", "kernel.d", "-shared", "-cudart",
                           "none", "kernel.cu", "-o", "kernel.so"})
    command.argv.emplace_back(word);
  if (request.walls) raiseBuildWalls(command, host.torch(), headers, request.source);
  const auto deadline = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(request.deadlineSeconds));
  WB_TRY(const auto said, runToEnd(command, deadline, request.stop));
  if (said.stopped) return Error{Stage::compile, "cancelled"};
  if (said.timedOut)
    return Error{Stage::compile,
                 fmt::format("compiling {} with nvcc took longer than {}", fileName(request.source),
                             formatSeconds(request.deadlineSeconds)),
                 "give it more time, or see `CUDA extensions` in the help for what nvcc is not needed for",
                 Place{request.source.path, 0, 0}};
  // cudafe++ writes errors to the standard error, ptxas its figures to the output or the error.
  const std::string output = said.err + said.out;
  if (!said.ok()) return HostBuilt{{{}, output}, false, false, describe(said.ending)};
  const auto rule = readFile(scratch.path() / "kernel.d");
  WB_TRY(auto entry, storeBuilt(host.cache(), key, scratch.path() / "kernel.so", output,
                                rule ? filesInRule(*rule) : std::vector<std::string>{}, request));
  return HostBuilt{std::move(entry), true, false, {}};
}

}  // namespace wb
