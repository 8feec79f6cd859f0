// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/raw_cuda/raw_cuda_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <future>
#include <map>

#include "core/engine/compile/nvrtc/prelude.h"
#include "core/engine/compile/raw_cuda/cuda_variant.h"
#include "core/engine/compile/raw_cuda/header.h"
#include "core/engine/compile/raw_cuda/launch_plan.h"
#include "core/engine/compile/raw_cuda/raw_cuda_candidate.h"
#include "core/engine/compile/raw_cuda/signature.h"
#include "core/engine/device/driver.h"

namespace wb {
namespace {

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
    WB_TRY(auto recipe, cudaRecipe(request.source.text, request.source.path, plan.nameExpression,
                                   request.architecture, plan.header.options, !source.includesFiles));
    auto variants = compileAll(recipe, plannedDtypes(plan, request.dtypes), request);
    return outcome(request, std::move(plan), recipe, std::move(variants), optionsPlace);
  }

 private:
  using Variants = std::map<std::string, Result<CudaVariant>>;

  /// Compiles all variants; NVRTC compiles several programs at a time.
  static Variants compileAll(const CudaRecipe& recipe, const std::vector<std::string>& dtypes,
                             const CompileRequest& request) {
    const auto deadline = std::chrono::steady_clock::now() +
                          std::chrono::milliseconds(static_cast<std::int64_t>(request.deadlineSeconds * 1e3));
    std::vector<std::pair<std::string, std::future<Result<CudaVariant>>>> running;
    for (std::size_t i = 0; i < dtypes.size();
         ++i)  // the last one is compiled on this thread, so a single dtype needs no other thread
      running.emplace_back(dtypes[i],
                           std::async(i + 1 < dtypes.size() ? std::launch::async : std::launch::deferred,
                                      [&recipe, dtype = dtypes[i], deadline, stop = request.stop,
                                       exchange = request.exchange] {
                                        return compileVariant(recipe, dtype, deadline, stop, exchange);
                                      }));
    if (!running.empty()) running.back().second.wait();
    Variants variants;
    for (auto& [dtype, result] : running) variants.emplace(dtype, result.get());
    return variants;
  }

  static Result<CompileOutcome> outcome(const CompileRequest& request, LaunchPlan plan,
                                        const CudaRecipe& recipe, Variants variants,
                                        const Place& optionsPlace) {
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

  static void addCandidate(const CompileRequest& request, LaunchPlan plan, const CudaRecipe& recipe,
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
