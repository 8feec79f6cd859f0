// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/backendbench/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "core/jobs/backendbench/flag_gems.h"
#include "core/jobs/backendbench/suite.h"
#include "core/jobs/job_errors.h"
#include "core/jobs/kernel_directory.h"
#include "core/jobs/kernel_sources.h"
#include "core/model/operators/catalogue.h"
#include "core/model/operators/operator_name.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

/// The suite's operators in the order in which they first appear.
std::vector<std::string> operatorsOf(const std::vector<Case>& cases) {
  std::vector<std::string> names;
  std::unordered_map<std::string, bool> seen;
  for (const Case& each : cases)
    if (seen.try_emplace(each.op, true).second) names.push_back(each.op);
  return names;
}

/// The kernels by operator.
using Kernels = std::unordered_map<std::string, KernelSource>;

Kernels atenKernels(const std::vector<std::string>& operators) {
  Kernels kernels;
  for (const std::string& op : operators) kernels[op] = atenKernel(op);
  return kernels;
}

/// Reads a kernel in the language of its extension where nothing in the text names one; loading it will tell.
Result<KernelSource> readKernel(const DirectoryKernel& found) {
  auto kernel = readKernelFile(found.file.string(), found.op);
  if (kernel && kernel->language.empty() && found.file.extension() == ".py") kernel->language = "python";
  return kernel;
}

/// Whether the directory is read as BackendBench does, which knows one layout only, unless the older ones
/// were asked for.
bool readsLike(const JobRequest& request) {
  return request.checking.likeBackendBench && request.backendBench->backend == "directory";
}

Error noKernels(const JobRequest& request, const KernelDirectory& found) {
  if (!found.problems.empty())
    return wrong(
        fmt::format("{} holds no kernels for operators that there are", request.backendBench->opsDirectory),
        found.problems.front());
  const bool others = readsLike(request) && [&] {
    const auto ours = readKernelDirectory(request.backendBench->opsDirectory, false);
    return ours && !ours->kernels.empty();
  }();
  return wrong(fmt::format("{} holds no kernels", request.backendBench->opsDirectory),
               others ? fmt::format("not as BackendBench names them; {}, or {}", Remedy::readOlderLayouts,
                                    Remedy::judgeOurWay)
                      : "it holds a folder an operator, such as "
                        "relu__default/relu__default_implementation_v1.py");
}

Result<Kernels> directoryKernels(const JobRequest& request, const std::vector<std::string>& operators,
                                 PlannedJob& plan) {
  const auto catalogue = readCatalogue();
  WB_TRY(auto directory, readKernelDirectory(request.backendBench->opsDirectory, readsLike(request),
                                             catalogue ? &*catalogue : nullptr));
  plan.warnings = std::move(directory.problems);
  Kernels kernels;
  for (const DirectoryKernel& found : directory.kernels) {
    // Only kernels that run are read: a directory may hold a thousand.
    if (std::find(operators.begin(), operators.end(), found.op) == operators.end()) continue;
    auto kernel = readKernel(found);
    if (!kernel) {
      plan.warnings.push_back(describe(kernel.error()));
      continue;
    }
    const bool named = kernel->text.find(found.folder + "_kernel_impl") != std::string::npos;
    if (readsLike(request) && !named) {
      plan.warnings.push_back(fmt::format("{}: no function {}_kernel_impl", kernel->path, found.folder));
      continue;
    }
    kernels[found.op] = *std::move(kernel);
  }
  // Only the choices that matter for what is run are kept.
  for (DirectoryChoice& choice : directory.choices)
    if (kernels.contains(choice.op)) plan.choices.push_back(std::move(choice.text));
  plan.loaded = fmt::format("DirectoryBackend found {} kernels in {}/, {} of them for this suite",
                            directory.kernels.size(), fs::path(directory.folder / "").parent_path().string(),
                            kernels.size());
  if (directory.kernels.empty()) return noKernels(request, directory);
  return kernels;
}

Result<Kernels> flagGems(const JobRequest& request) {
  WB_TRY(auto sources, flagGemsKernels(request.checking.likeBackendBench, request.python));
  Kernels kernels;
  for (KernelSource& source : sources) kernels[source.op] = std::move(source);
  return kernels;
}

Result<Kernels> kernelsOf(const JobRequest& request, const std::vector<std::string>& operators,
                          PlannedJob& plan) {
  const std::string& backend = request.backendBench->backend;
  if (backend == "aten") return atenKernels(operators);
  if (readsDirectory(request)) return directoryKernels(request, operators, plan);
  if (backend == "flag_gems") return flagGems(request);
  if (backend == "llm" || backend == "llm-relay" || backend == "kernel_agent")
    return wrong(fmt::format("the backend {} is not in Warpbench: it writes no kernels", backend),
                 std::string(Remedy::readDirectory));
  return wrong(fmt::format("there is no backend '{}'", backend), "use aten, directory or flag_gems");
}

}  // namespace

bool readsDirectory(const JobRequest& request) {
  const std::string& backend = request.backendBench->backend;
  return backend == "directory" || backend == "pregenerated";
}

std::string backendBenchDevice(const JobRequest& request) {
  const bool theirs = request.checking.likeBackendBench && request.suite == "smoke";
  return theirs && request.device == "auto" ? "cpu" : request.device;
}

Result<PlannedJob> planBackendBench(const JobRequest& request, const SuiteProgress& progress) {
  // What can be refused is refused before a suite is made, which may take half a minute.
  PlannedJob plan;
  const bool bySuite = request.backendBench->backend == "aten" || readsDirectory(request);
  Result<Kernels> kernels = bySuite ? Kernels{} : kernelsOf(request, {}, plan);
  if (!kernels) return std::move(kernels).error();
  if (readsDirectory(request))
    WB_DO(readKernelDirectory(request.backendBench->opsDirectory, readsLike(request)));
  WB_TRY(auto suite, backendBenchSuite(request, progress));
  const std::vector<std::string> operators = operatorsOf(suite.cases);
  if (bySuite) kernels = kernelsOf(request, operators, plan);
  if (!kernels) return std::move(kernels).error();
  for (const std::string& op : operators) {
    // An operator without a kernel is in no score, as in BackendBench.
    if (const auto kernel = kernels->find(op); kernel != kernels->end())
      plan.job.kernels.push_back(std::move(kernel->second));
  }
  if (plan.job.kernels.empty() && !operators.empty())
    return wrong(fmt::format("no kernel there is for an operator of suite {}", request.suite),
                 "`warpbench list operators` shows the names that folders may have");
  Job& job = plan.job;
  job.suite = suite.name;
  std::erase_if(suite.cases, [&](const Case& each) { return !kernels->contains(each.op); });
  job.cases = std::move(suite.cases);
  job.stages.set(Stage::time, std::any_of(job.cases.begin(), job.cases.end(),
                                          [](const Case& each) { return each.use != CaseUse::check; }));
  job.tolerance.preset = request.checking.likeBackendBench ? "backendbench" : "torch";
  job.checking = request.checking;
  job.checking.scoreTrivial = true;
  job.timing = request.timing;
  job.device = request.device;
  job.limits = request.limits;
  return plan;
}

}  // namespace wb
