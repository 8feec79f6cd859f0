// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/backendbench_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "app/cli/run/run_job.h"
#include "core/base/files/file.h"
#include "core/jobs/backendbench/flag_gems.h"
#include "core/jobs/kernel_directory.h"
#include "core/model/languages.h"
#include "core/model/operators/operator_name.h"
#include "core/runner/runner.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

Error wrong(std::string text, std::string hint) {
  return Error{Stage::job, std::move(text), std::move(hint), {}};
}

/// The suite's operators in the order in which they first come.
std::vector<std::string> operatorsOf(const std::vector<Case>& cases) {
  std::vector<std::string> names;
  std::unordered_map<std::string, bool> seen;
  for (const Case& each : cases)
    if (seen.try_emplace(each.op, true).second) names.push_back(each.op);
  return names;
}

using Kernels = std::unordered_map<std::string, KernelSource>;  ///< by operator

Kernels atenKernels(const std::vector<std::string>& operators) {
  Kernels kernels;
  for (const std::string& op : operators) {
    KernelSource kernel;
    kernel.language = "aten";
    kernel.op = op;
    kernels[op] = std::move(kernel);
  }
  return kernels;
}

/// Its text, in the language of its extension where nothing in the text says which: loading it will tell.
Result<KernelSource> readKernel(const DirectoryKernel& found) {
  auto text = readSource(found.file);
  if (!text) return std::move(text).error();
  KernelSource kernel;
  kernel.path = found.file.string();
  kernel.text = *std::move(text);
  kernel.op = found.op;
  const Language* language = detectLanguage(kernel.path, kernel.text);
  kernel.language = language ? std::string(language->id) : found.file.extension() == ".py" ? "python" : "";
  return kernel;
}

/// With BackendBench's own reading, which knows one layout, unless the older ones were asked for.
bool readsLike(const BackendBenchRequest& request) {
  return request.like && request.backend == "directory";
}

Error noKernels(const BackendBenchRequest& request, const KernelDirectory& found) {
  if (!found.problems.empty())
    return wrong(fmt::format("{} holds no kernels for operators that there are", request.opsDirectory),
                 found.problems.front());
  const bool others = readsLike(request) && [&] {
    const auto ours = readKernelDirectory(request.opsDirectory, false);
    return ours && !ours->kernels.empty();
  }();
  return wrong(fmt::format("{} holds no kernels", request.opsDirectory),
               others ? "not as BackendBench names them; say --backend pregenerated, or leave "
                        "--like-backendbench out"
                      : "it holds a folder an operator, such as "
                        "relu__default/relu__default_implementation_v1.py");
}

Result<Kernels> directoryKernels(const BackendBenchRequest& request,
                                 const std::vector<std::string>& operators, BackendBenchPlan& plan) {
  const auto catalogue = readCatalogue();
  auto directory =
      readKernelDirectory(request.opsDirectory, readsLike(request), catalogue ? &*catalogue : nullptr);
  if (!directory) return std::move(directory).error();
  plan.problems = std::move(directory->problems);
  Kernels kernels;
  for (const DirectoryKernel& found : directory->kernels) {
    // Only what is run is read: a directory may hold a thousand.
    if (std::find(operators.begin(), operators.end(), found.op) == operators.end()) continue;
    auto kernel = readKernel(found);
    if (!kernel) {
      plan.problems.push_back(describe(kernel.error()));
      continue;
    }
    const bool named = kernel->text.find(found.folder + "_kernel_impl") != std::string::npos;
    if (readsLike(request) && !named) {
      plan.problems.push_back(fmt::format("{}: no function {}_kernel_impl", kernel->path, found.folder));
      continue;
    }
    kernels[found.op] = *std::move(kernel);
  }
  // Choices that matter for what is run.
  for (DirectoryChoice& choice : directory->choices)
    if (kernels.contains(choice.op)) plan.choices.push_back(std::move(choice.text));
  plan.loaded = fmt::format("DirectoryBackend found {} kernels in {}/, {} of them for this suite",
                            directory->kernels.size(),
                            fs::path(directory->folder / "").parent_path().string(), kernels.size());
  if (directory->kernels.empty()) return noKernels(request, *directory);
  return kernels;
}

Result<Kernels> flagGems(const BackendBenchRequest& request) {
  auto sources = flagGemsKernels(request.like);
  if (!sources) return std::move(sources).error();
  Kernels kernels;
  for (KernelSource& source : *sources) kernels[source.op] = std::move(source);
  return kernels;
}

Result<Kernels> kernelsOf(const BackendBenchRequest& request, const std::vector<std::string>& operators,
                          BackendBenchPlan& plan) {
  if (request.backend == "aten") return atenKernels(operators);
  if (readsDirectory(request)) return directoryKernels(request, operators, plan);
  if (request.backend == "flag_gems") return flagGems(request);
  if (request.backend == "llm" || request.backend == "llm-relay" || request.backend == "kernel_agent")
    return wrong(fmt::format("the backend {} is not in Warpbench: it writes no kernels", request.backend),
                 "run what was written with --backend directory --ops-directory FOLDER");
  return wrong(fmt::format("--backend: there is no backend '{}'", request.backend),
               "use aten, directory or flag_gems");
}

}  // namespace

bool readsDirectory(const BackendBenchRequest& request) {
  return request.backend == "directory" || request.backend == "pregenerated";
}

Result<std::string> backendBenchDevice(const BackendBenchRequest& request) {
  if (request.like && request.suite == "smoke" && request.device == "auto") return std::string("cpu");
  return resolveDevice(request.device, knownDevices());
}

Result<BackendBenchPlan> planBackendBench(const BackendBenchRequest& request, const std::string& device,
                                          const SuiteProgress& progress) {
  // What can be refused is refused before a suite is made, which may take half a minute.
  BackendBenchPlan plan;
  const bool bySuite = request.backend == "aten" || readsDirectory(request);
  Result<Kernels> kernels = bySuite ? Kernels{} : kernelsOf(request, {}, plan);
  if (!kernels) return std::move(kernels).error();
  if (readsDirectory(request))
    if (auto there = readKernelDirectory(request.opsDirectory, readsLike(request)); !there)
      return std::move(there).error();
  auto suite = backendBenchSuite(request, device, progress);
  if (!suite) return std::move(suite).error();
  const std::vector<std::string> operators = operatorsOf(suite->cases);
  if (bySuite) kernels = kernelsOf(request, operators, plan);
  if (!kernels) return std::move(kernels).error();
  for (const std::string& op : operators) {
    const auto kernel = kernels->find(op);
    if (kernel == kernels->end())
      ++plan.operatorsWithoutKernel;
    else
      plan.job.kernels.push_back(std::move(kernel->second));
  }
  if (plan.job.kernels.empty() && !operators.empty())
    return wrong(fmt::format("no kernel there is for an operator of suite {}", request.suite),
                 "`warpbench list operators` shows the names that folders may have");
  Job& job = plan.job;
  job.suite = suite->name;
  std::erase_if(suite->cases, [&](const Case& each) { return !kernels->contains(each.op); });
  job.cases = std::move(suite->cases);
  job.stages.time = std::any_of(job.cases.begin(), job.cases.end(),
                                [](const Case& each) { return each.use != CaseUse::check; });
  job.tolerance.preset = request.like ? "backendbench" : "torch";
  job.checking.likeBackendBench = request.like;
  job.checking.scoreCrashed = request.scoreCrashed;
  job.checking.scoreTrivial = true;
  job.device = device;
  job.limits = request.limits;
  return plan;
}

}  // namespace wb
