// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <initializer_list>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/engine/compile/build_exchange.h"
#include "core/engine/compile/nvrtc/nvrtc.h"
#include "core/engine/compile/raw_cuda/raw_cuda_candidate.h"
#include "core/model/event.h"

namespace wb {

/// Everything that compiling a kernel with NVRTC needs, as values. A candidate keeps it to compile for a
/// dtype that was not planned.
struct CudaRecipe {
  std::string source, path, nameExpression, architecture, toolchain;
  std::vector<std::string> userOptions;
  bool cacheable = true;
};

/// The recipe of a source. `complete` says that it includes no files of its own. Where the architecture is
/// none of a GPU's, it is compiled for sm_90. Errors: there is no NVRTC.
Result<CudaRecipe> cudaRecipe(std::string source, std::string path, std::string nameExpression,
                              const std::string& architecture, std::vector<std::string> options,
                              bool complete);

/// What became of a recipe for one dtype of scalar_t.
struct CudaVariant {
  std::string dtype;
  NvrtcResult result;
  bool cached = false;
  std::vector<Diagnostic> diagnostics;
};

/// Compiles, or finds the result in the cache or with another machine. Errors in the source are a variant
/// that is not `ok`.
Result<CudaVariant> compileVariant(const CudaRecipe& recipe, const std::string& dtype,
                                   std::chrono::steady_clock::time_point deadline, std::stop_token stop,
                                   const BuildExchange* exchange = nullptr);

/// Adds what ptxas says of the variant's functions; the chosen kernel is called `kernel`.
void addArtifacts(const CudaVariant& variant, const CudaRecipe& recipe, const std::string& kernel,
                  std::vector<Artifact>& artifacts);

/// The error that sums up the messages: "2 errors in relu.cu".
[[nodiscard]] Error summary(const CudaRecipe& recipe, const std::vector<Diagnostic>& diagnostics,
                            const std::string& what);

/// A dtype's result for the candidate: its binary, or why its cases cannot run.
Result<CompiledKernel> binaryOf(const Result<CudaVariant>& variant, const CudaRecipe& recipe);

}  // namespace wb
