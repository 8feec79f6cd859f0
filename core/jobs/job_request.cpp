// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/job_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/jobs/backendbench/plan.h"
#include "core/jobs/evaluation/evaluation_job.h"
#include "core/jobs/kernel_sources.h"
#include "core/suites/kernel_dtype.h"

namespace wb {
namespace {

bool takesDtype(const std::string& suite) {
  const std::vector<SuiteInfo> known = suites();
  return std::any_of(known.begin(), known.end(),
                     [&](const SuiteInfo& each) { return each.name == suite && each.takesDtype; });
}

/// The cases beside all of several kernels; a filter holds for all of them.
Result<Suite> casesBesideAll(const JobRequest& request, const std::vector<std::string>& paths) {
  Suite all{.name = request.suite};
  for (const std::string& path : paths) {
    WB_TRY(auto own, casesBeside(path));
    for (Case& definition : own.cases) {
      const bool known = std::any_of(all.cases.begin(), all.cases.end(), [&](const Case& each) {
        return each.op == definition.op && each.args == definition.args;
      });
      if (!known) all.cases.push_back(std::move(definition));
    }
  }
  WB_TRY(auto filtered, filterOperators(std::move(all), request.operators));
  return largestPerOperator(std::move(filtered), request.topn);
}

/// Whether the cases of all kernels come from their own problems, so that no suite has any for them.
bool bringTheirCases(const JobRequest& request) {
  return !request.sources.empty() && request.files.empty() && request.problem.empty() &&
         std::all_of(request.sources.begin(), request.sources.end(),
                     [](const KernelSource& each) { return !each.referenceText.empty(); });
}

Result<void> keepOnly(Suite& suite, const std::string& arguments) {
  if (arguments.empty()) return {};
  std::erase_if(suite.cases, [&](const Case& each) { return each.args != arguments; });
  if (!suite.cases.empty()) return {};
  return Error{Stage::job, fmt::format("no case of {} has the arguments {}", suite.name, arguments),
               "copy them from a report, with all brackets"};
}

}  // namespace

Result<Suite> chooseSuite(const JobRequest& request, const std::vector<KernelSource>& kernels,
                          const SuiteProgress& progress) {
  std::vector<std::string> paths = request.files;
  for (const KernelSource& source : request.sources) paths.push_back(source.path);
  if (bringTheirCases(request)) return Suite{.name = request.suite};
  if (request.suite == "beside" && paths.size() > 1) return casesBesideAll(request, paths);
  SuiteRequest wanted{.name = request.suite,
                      .device = request.device,
                      .operators = request.operators,
                      .topn = request.topn,
                      .python = request.python,
                      .opinfoThere = request.opinfoThere};
  std::vector<std::string> texts;
  for (const KernelSource& kernel : kernels) texts.push_back(kernel.text);
  wanted.dtype = suiteDtype(request.dtype, texts);
  if (!paths.empty()) wanted.kernel = paths.front();
  // A suite that is made has thousands of cases, so where the operator is known only its cases are made.
  if (!request.op.empty() && wanted.operators.empty() && takesDtype(request.suite))
    wanted.operators = {request.op};
  return loadSuite(wanted, progress);
}

Result<PlannedJob> planJob(const JobRequest& request, const SuiteProgress& progress) {
  WB_TRY(const auto inFile, requestInFile(request));
  if (inFile) return planJob(*inFile, progress);
  if (request.backendBench) return planBackendBench(request, progress);
  if (request.cases && request.cases->cases.empty())
    return Error{Stage::job, "there are no cases to run", "ask for at least one"};
  if (request.strict && request.sandbox)
    return Error{Stage::job, "--strict raises walls of its own, around the kernel alone",
                 "leave --sandbox out"};
  PlannedJob plan;
  WB_TRY(auto kernels, namedKernels(request, plan.leftOut));
  WB_TRY(auto suite, request.cases ? Result<Suite>(*request.cases) : chooseSuite(request, kernels, progress));
  WB_DO(keepOnly(suite, request.only));
  WB_TRY(auto others, kernelsForSuite(request, suite));
  Job& job = plan.job;
  static_cast<RunPlan&>(job) = request;
  job.kernels = std::move(kernels);
  std::move(others.begin(), others.end(), std::back_inserter(job.kernels));
  job.suite = std::move(suite.name);
  job.cases = std::move(suite.cases);
  job.checking.scoreTrivial = suite.scoreTrivial;
  if (!job.sanitizer.empty()) job.stages.add(Stage::sanitize);
  job.limits = request.limits;
  return plan;
}

Result<Job> makeJob(const JobRequest& request, const SuiteProgress& progress) {
  WB_TRY(auto plan, planJob(request, progress));
  return std::move(plan.job);
}

}  // namespace wb
