// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/raw_cuda/cuda_variant.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include "core/base/files/source_folder.h"
#include "core/engine/compile/diagnostics.h"
#include "core/engine/compile/nvrtc/cubin_cache.h"
#include "core/engine/compile/nvrtc/prelude.h"

namespace wb {
namespace {

constexpr std::string_view defaultArchitecture = "sm_90";

bool hasOption(const std::vector<std::string>& options, std::initializer_list<std::string_view> names) {
  return std::any_of(options.begin(), options.end(), [&](const std::string& option) {
    return std::any_of(names.begin(), names.end(),
                       [&](std::string_view name) { return option.starts_with(name); });
  });
}

std::vector<std::string> compilerOptions(const CudaRecipe& recipe) {
  std::vector<std::string> options{"--ptxas-options=-v"};
  if (!hasOption(recipe.userOptions, {"--gpu-architecture", "-arch"}))
    options.push_back("--gpu-architecture=" + recipe.architecture);
  if (!hasOption(recipe.userOptions, {"-std", "--std"})) options.emplace_back("-std=c++20");
  if (!hasOption(recipe.userOptions, {"-lineinfo", "--generate-line-info", "-G", "--device-debug"}))
    options.emplace_back("-lineinfo");
  if (const auto folder = sourceFolder(recipe.path); !folder.empty())
    options.push_back("-I" + folder.string());
  for (const auto& folder : cudaIncludeFolders()) options.push_back("-I" + folder);
  options.insert(options.end(), recipe.userOptions.begin(), recipe.userOptions.end());
  return options;
}

}  // namespace

Result<CudaRecipe> cudaRecipe(std::string source, std::string path, std::string nameExpression,
                              const std::string& architecture, std::vector<std::string> options,
                              bool complete) {
  WB_TRY(auto toolchain, nvrtcName());
  const bool named = architecture.starts_with("sm_");
  CudaRecipe recipe{std::move(source),
                    path.empty() ? "kernel.cu" : std::move(path),
                    std::move(nameExpression),
                    named ? architecture : std::string(defaultArchitecture),
                    std::move(toolchain),
                    std::move(options),
                    complete};
  recipe.cacheable = recipe.cacheable &&
                     !hasOption(recipe.userOptions, {"-I", "--include-path", "-include", "--pre-include"});
  return recipe;
}

Result<CudaVariant> compileVariant(const CudaRecipe& recipe, const std::string& dtype,
                                   std::chrono::steady_clock::time_point deadline, std::stop_token stop,
                                   const BuildExchange* exchange) {
  WB_TRY(auto prelude, makePrelude(dtype, recipe.source));
  NvrtcRequest request{recipe.source,           recipe.path, std::move(prelude), recipe.nameExpression,
                       compilerOptions(recipe), deadline,    std::move(stop)};
  request.files = {{recipe.path, std::filesystem::path(recipe.path).filename().string()}};
  if (const auto folder = sourceFolder(recipe.path); !folder.empty())
    request.folders.push_back({folder.string(), "SOURCE"});
  const std::string key = recipe.cacheable ? cubinKey(request, recipe.toolchain) : std::string();
  CudaVariant variant{dtype, {}, false, {}};
  if (auto kept = recipe.cacheable ? readCubin(key, request, exchange) : std::nullopt) {
    variant.result = std::move(*kept);
    variant.cached = true;
  } else {
    WB_TRY(variant.result, compileWithNvrtc(request));
    if (recipe.cacheable && variant.result.ok) writeCubin(key, request, variant.result, exchange);
  }
  variant.diagnostics = parseDiagnostics(compilerMessages(variant.result.log), "nvrtc");
  return variant;
}

namespace {

std::string functionName(const std::string& lowered) {
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(lowered.c_str(), nullptr, nullptr, &status), &std::free);
  std::string name = status == 0 ? plain.get() : lowered;
  if (name.starts_with("void ")) name.erase(0, 5);
  return name.substr(0, name.find('('));
}

}  // namespace

void addArtifacts(const CudaVariant& variant, const CudaRecipe& recipe, const std::string& kernel,
                  std::vector<Artifact>& artifacts) {
  for (const auto& figures : ptxasFigures(variant.result.log)) {
    const bool chosen = figures.loweredName == variant.result.loweredName;
    Artifact artifact{chosen ? kernel : functionName(figures.loweredName),
                      variant.dtype,
                      recipe.architecture,
                      figures.registers,
                      figures.spillLoads,
                      figures.spillStores,
                      figures.sharedBytes,
                      static_cast<std::int64_t>(variant.result.cubin.size()),
                      chosen ? variant.result.ptx : std::string()};
    if (chosen)
      artifacts.insert(
          artifacts.begin() + std::count_if(artifacts.begin(), artifacts.end(),
                                            [](const Artifact& each) { return !each.assembly.empty(); }),
          std::move(artifact));
    else
      artifacts.push_back(std::move(artifact));
  }
}

namespace {

std::size_t errorsIn(const std::vector<Diagnostic>& diagnostics) {
  return static_cast<std::size_t>(
      std::count_if(diagnostics.begin(), diagnostics.end(),
                    [](const Diagnostic& each) { return each.severity == Severity::error; }));
}

}  // namespace

Error summary(const CudaRecipe& recipe, const std::vector<Diagnostic>& diagnostics, const std::string& what) {
  const std::string file = std::filesystem::path(recipe.path).filename().string();
  const std::size_t errors = errorsIn(diagnostics);
  const auto first = std::find_if(diagnostics.begin(), diagnostics.end(),
                                  [](const Diagnostic& each) { return each.severity == Severity::error; });
  return Error{Stage::compile,
               fmt::format("{} error{} in {}{}", errors, errors == 1 ? "" : "s",
                           file.empty() ? "the kernel" : file, what),
               {},
               first == diagnostics.end() ? Place{} : first->place};
}

Result<CompiledKernel> binaryOf(const Result<CudaVariant>& variant, const CudaRecipe& recipe) {
  if (!variant) return variant.error();
  if (variant->result.ok) return CompiledKernel{variant->result.cubin, variant->result.loweredName};
  const auto scalar = scalarTypeName(variant->dtype).value_or(std::string("float"));
  Error error = summary(recipe, variant->diagnostics, fmt::format(" with scalar_t = {}", scalar));
  for (const auto& each : variant->diagnostics)
    if (each.severity == Severity::error) {
      error.text += ": " + each.message;
      break;
    }
  return error;
}

}  // namespace wb
