// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/raw_cuda/raw_cuda_compiler.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <map>
#include <set>

#include "core/base/files/source_folder.h"
#include "core/engine/compile/diagnostics.h"
#include "core/engine/compile/nvrtc/cubin_cache.h"
#include "core/engine/compile/nvrtc/nvrtc.h"
#include "core/engine/compile/nvrtc/prelude.h"
#include "core/engine/compile/raw_cuda/header.h"
#include "core/engine/compile/raw_cuda/launch_plan.h"
#include "core/engine/compile/raw_cuda/raw_cuda_candidate.h"
#include "core/engine/compile/raw_cuda/signature.h"
#include "core/engine/device/driver.h"

namespace wb {
namespace {

constexpr std::string_view defaultArchitecture = "sm_90";

/// Everything that a variant needs, as values. The candidate keeps it to compile for a dtype that was not
/// planned.
struct Recipe {
  std::string source, path, nameExpression, architecture, toolchain;
  std::vector<std::string> userOptions;
  bool cacheable = true;
};

struct Variant {
  std::string dtype;
  NvrtcResult result;
  bool cached = false;
  std::vector<Diagnostic> diagnostics;
};

bool hasOption(const std::vector<std::string>& options, std::initializer_list<std::string_view> names) {
  return std::any_of(options.begin(), options.end(), [&](const std::string& option) {
    return std::any_of(names.begin(), names.end(),
                       [&](std::string_view name) { return option.starts_with(name); });
  });
}

std::vector<std::string> compilerOptions(const Recipe& recipe) {
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

Result<Variant> compileVariant(const Recipe& recipe, const std::string& dtype,
                               std::chrono::steady_clock::time_point deadline, std::stop_token stop) {
  WB_TRY(auto prelude, makePrelude(dtype, recipe.source));
  NvrtcRequest request{recipe.source,           recipe.path, std::move(prelude), recipe.nameExpression,
                       compilerOptions(recipe), deadline,    std::move(stop)};
  const std::string key = recipe.cacheable ? cubinKey(request, recipe.toolchain) : std::string();
  Variant variant{dtype, {}, false, {}};
  if (auto kept = recipe.cacheable ? readCubin(key) : std::nullopt) {
    variant.result = std::move(*kept);
    variant.cached = true;
  } else {
    WB_TRY(variant.result, compileWithNvrtc(request));
    if (recipe.cacheable && variant.result.ok) writeCubin(key, variant.result);
  }
  variant.diagnostics = parseDiagnostics(compilerMessages(variant.result.log), "nvrtc");
  return variant;
}

std::string functionName(const std::string& lowered) {
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(lowered.c_str(), nullptr, nullptr, &status), &std::free);
  std::string name = status == 0 ? plain.get() : lowered;
  if (name.starts_with("void ")) name.erase(0, 5);
  return name.substr(0, name.find('('));
}

void addArtifacts(const Variant& variant, const Recipe& recipe, const std::string& kernel,
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

std::size_t errorsIn(const std::vector<Diagnostic>& diagnostics) {
  return static_cast<std::size_t>(
      std::count_if(diagnostics.begin(), diagnostics.end(),
                    [](const Diagnostic& each) { return each.severity == Severity::error; }));
}

Error summary(const Recipe& recipe, const std::vector<Diagnostic>& diagnostics, const std::string& what) {
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

/// A dtype's result for the candidate: its binary, or why its cases cannot run.
Result<CompiledKernel> binaryOf(const Result<Variant>& variant, const Recipe& recipe) {
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

/// The dtypes for which `scalar_t` is compiled ahead of the cases.
std::vector<std::string> plannedDtypes(const LaunchPlan& plan, const std::vector<std::string>& ofCases) {
  if (!plan.perDtype) return {""};
  std::vector<std::string> planned;
  for (const auto& dtype : ofCases) {
    // Where scalar_t is the dtype of another tensor, it is not the bool of a mask that comes first.
    const bool mask = dtype == "b8" && (plan.header.elementwise || !plan.header.scalarType.name.empty());
    const bool known = std::find(planned.begin(), planned.end(), dtype) != planned.end();
    if (!dtype.empty() && !mask && !known && scalarTypeName(dtype)) planned.push_back(dtype);
  }
  if (planned.empty()) planned.emplace_back("f32");
  return planned;
}

int deviceIndex(const std::string& device) {
  const auto colon = device.find(':');
  return colon == std::string::npos ? 0 : std::atoi(device.c_str() + colon + 1);
}

class RawCudaCompiler final : public Compiler {
 public:
  [[nodiscard]] std::string_view language() const override { return "raw_cuda"; }

  Result<Claim> claim(const KernelSource& source) override {
    WB_TRY(auto header, parseRawCudaHeader(source.text, source.path));
    Claim claim{header.op.name, {}};
    const auto chosen = header.kernel.name.substr(0, header.kernel.name.find('<'));
    if (!chosen.empty()) claim.functions.push_back(chosen);
    for (const auto& kernel : scanCudaSource(source.text, source.path).kernels)
      if (kernel.name != chosen) claim.functions.push_back(kernel.name);
    return claim;
  }

  Result<CompileOutcome> compile(const CompileRequest& request) override {
    WB_TRY(auto header, parseRawCudaHeader(request.source.text, request.source.path));
    const Place optionsPlace = header.optionsPlace;
    const CudaSource source = scanCudaSource(request.source.text, request.source.path);
    WB_TRY(auto plan, planLaunch(std::move(header), source, request.schema));
    WB_TRY(auto toolchain, nvrtcName());
    const bool named = request.architecture.starts_with("sm_");
    Recipe recipe{request.source.text,
                  request.source.path.empty() ? "kernel.cu" : request.source.path,
                  plan.nameExpression,
                  named ? request.architecture : std::string(defaultArchitecture),
                  toolchain,
                  plan.header.options,
                  !source.includesFiles};
    recipe.cacheable = recipe.cacheable &&
                       !hasOption(recipe.userOptions, {"-I", "--include-path", "-include", "--pre-include"});
    auto variants = compileAll(recipe, plannedDtypes(plan, request.dtypes), request);
    return outcome(request, std::move(plan), recipe, std::move(variants), optionsPlace);
  }

 private:
  using Variants = std::map<std::string, Result<Variant>>;

  /// Compiles all variants; NVRTC compiles several programs at a time.
  static Variants compileAll(const Recipe& recipe, const std::vector<std::string>& dtypes,
                             const CompileRequest& request) {
    const auto deadline = std::chrono::steady_clock::now() +
                          std::chrono::milliseconds(static_cast<std::int64_t>(request.deadlineSeconds * 1e3));
    std::vector<std::pair<std::string, std::future<Result<Variant>>>> running;
    for (std::size_t i = 0; i < dtypes.size();
         ++i)  // the last one is compiled on this thread, so a single dtype needs no other thread
      running.emplace_back(dtypes[i],
                           std::async(i + 1 < dtypes.size() ? std::launch::async : std::launch::deferred,
                                      [&recipe, dtype = dtypes[i], deadline, stop = request.stop] {
                                        return compileVariant(recipe, dtype, deadline, stop);
                                      }));
    if (!running.empty()) running.back().second.wait();
    Variants variants;
    for (auto& [dtype, result] : running) variants.emplace(dtype, result.get());
    return variants;
  }

  static Result<CompileOutcome> outcome(const CompileRequest& request, LaunchPlan plan, const Recipe& recipe,
                                        Variants variants, const Place& optionsPlace) {
    std::vector<Diagnostic> all;
    CompileOutcome outcome;
    outcome.toolchain = recipe.toolchain;
    outcome.cached = true;
    std::size_t good = 0;
    const Error* broken = nullptr;  // an error that is not the source's
    for (auto& [dtype, variant] : variants) {
      if (!variant) {
        broken = &variant.error();
        continue;
      }
      outcome.cached = outcome.cached && variant->cached;
      for (Diagnostic& each : variant->diagnostics) {
        if (each.place.file.empty() && each.severity == Severity::error)
          each.place = optionsPlace;  // it is an option that NVRTC does not know
        if (std::find(all.begin(), all.end(), each) != all.end()) continue;  // it is the same for every dtype
        all.push_back(each);
        if (request.onDiagnostic) request.onDiagnostic(each);
      }
      if (!variant->result.ok) continue;
      ++good;
      addArtifacts(*variant, recipe, plan.kernel.name, outcome.artifacts);
      outcome.cubins.push_back({variant->result.cubin, dtype});
    }
    if (good == 0) return broken != nullptr ? *broken : summary(recipe, all, "");
    if (good < variants.size())
      outcome.note = fmt::format("Compiled for {} of {} dtypes.", good, variants.size());
    addCandidate(request, std::move(plan), recipe, variants, outcome);
    return outcome;
  }

  static void addCandidate(const CompileRequest& request, LaunchPlan plan, const Recipe& recipe,
                           const Variants& variants, CompileOutcome& outcome) {
    std::string whyNot;
    if (driver(&whyNot) != nullptr && !request.device.starts_with("cuda")) whyNot = "this run is on the CPU";
    if (!whyNot.empty() || !request.canRun) {
      if (whyNot.empty()) whyNot = "the device cannot be used";
      outcome.note += fmt::format("{}Compiled for {}. Not run: {}.", outcome.note.empty() ? "" : " ",
                                  recipe.architecture, whyNot);
      return;
    }
    RawCudaCandidate::Variants binaries;
    for (const auto& [dtype, variant] : variants) binaries.emplace(dtype, binaryOf(variant, recipe));
    auto compileMore = [recipe](const std::string& dtype) {
      return binaryOf(compileVariant(recipe, dtype, std::chrono::steady_clock::time_point::max(), {}),
                      recipe);
    };
    outcome.candidate = std::make_unique<RawCudaCandidate>(std::move(plan), deviceIndex(request.device),
                                                           std::move(binaries), std::move(compileMore));
  }
};

}  // namespace

std::unique_ptr<Compiler> rawCudaCompiler() {
  return std::make_unique<RawCudaCompiler>();
}

}  // namespace wb
