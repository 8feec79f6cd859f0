// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/job_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <utility>

#include "app/cli/options/limit_options.h"
#include "app/cli/options/option_errors.h"
#include "app/cli/options/whole_number.h"
#include "app/cli/options/words.h"
#include "core/base/process/programs.h"
#include "core/jobs/request_words.h"
#include "core/report/exporters.h"
#include "core/targets/run_target.h"

namespace wb {
namespace {

void addKernelOptions(CLI::App& command, JobRequest& request) {
  command.add_option(
      "KERNEL", request.files,
      "Kernel files or folders of them (.cpp torch C++, .cu raw CUDA or CUDA extension, .py Python "
      "or Triton); none with --op: ATen against itself");
  command.add_option("--op", request.op, "Operator that the kernels implement, e.g. relu, sum.dim_IntList");
  command.add_option("--language", request.language,
                     "Language of the kernels (see: warpbench list languages)");
  command.add_option(
      "--problem", request.problem,
      "Python file with class Model and get_inputs (KernelBench's form) that the kernels are for, "
      "or a folder of them by file name");
}

void addCaseOptions(CLI::App& command, JobOptions& options) {
  JobRequest& request = options.request;
  command
      .add_option("--suite", request.suite,
                  "Suite by name (see: warpbench list suites), or a .txt or .parquet file of cases")
      ->capture_default_str();
  command
      .add_option("--dtype", request.dtype,
                  "opinfo, shapes, sweep, layouts, values: dtype of the samples; auto: what the kernels' "
                  "text is for, "
                  "else bfloat16")
      ->capture_default_str();
  command.add_option(
      "--only", request.only,
      "Only the cases with these arguments, as a report shows them: '((T([5, 5], f32),), {})'");
  command.add_option("--topn", request.topn, "Only the N largest cases of each operator; 0: all")
      ->check(count(0))
      ->capture_default_str();
  command.add_option("--ops", options.ops, "Only cases of these operators: names or globs, comma-separated");
}

}  // namespace

void addJobOptions(CLI::App& command, JobOptions& options) {
  JobRequest& request = options.request;
  addKernelOptions(command, request);
  addCaseOptions(command, options);
  command.add_option("--device", request.device, "auto, cpu or cuda:N")->capture_default_str();
  command.add_option(
      "--target", options.where,
      fmt::format(
          "Where to run: a name from `warpbench target list`, or {} (may be repeated; processors beside "
          "GPUs compile for them)",
          targetForms));
  command.add_option("--tolerance", options.tolerance, "torch, backendbench, strict, or RTOL,ATOL")
      ->capture_default_str();
  command.add_flag("--score-crashed", request.checking.scoreCrashed,
                   "Count the times of a kernel that crashed or hung in some case, too");
  command.add_flag("--oracle", request.checking.oracle,
                   "Compare with float64 in every case, not only where it is cheap");
  command.add_option("--workers", options.workers, "Processes that share the cases; a GPU each")
      ->check(wholeNumber(1, mostWorkers))
      ->capture_default_str();
  command.add_flag("--strict", request.strict,
                   "Run the kernel's code in a process of its own, apart from clock, inputs and answers");
  command.add_option("--sanitize", request.sanitizer,
                     "Check under compute-sanitizer: memcheck, racecheck, initcheck or synccheck; nothing is "
                     "timed");
  command.add_flag("--sandbox", request.sandbox,
                   "Run kernels and their compilers inside walls: no other files, no network, no other "
                   "processes");
  command.add_option("--python", request.python, "Python whose torch and packages are used");
  command.add_option("--seed", request.seed, "Seed of the inputs")
      ->check(wholeNumber(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  command.add_option("--json", options.targets.json,
                     "Write the report as JSON to this file, or - for standard output");
  command.add_option(
      "--report", options.targets.reports,
      fmt::format("Write the report; the format is the file's: {} (may be repeated)", reportExtensions()));
  addEffortOptions(command, options.effort);
  command.add_flag("-v,--verbose", options.verbose, "Show what the kernel and the worker print");
  addLimitOptions(command, request.limits, true);
  command.footer(
      "Exit status: 0 at least one pass and nothing failed, 1 a case failed, 2 usage, or a kernel that did "
      "not compile,\n"
      "3 no worker or device, 4 Warpbench lost a worker of its own, 130 cancelled.");
}

void addEffortOptions(CLI::App& command, EffortOptions& options) {
  const auto add = [&](const char* option, bool& chosen, const char* text, Effort effort) {
    command.add_flag(option, chosen, fmt::format(fmt::runtime(text), capSeconds(effort)));
  };
  add("--quick", options.quick, "Time each case for at most {} s", Effort::quick);
  add("--thorough", options.thorough, "Time each case for up to {} s", Effort::thorough);
}

Result<Effort> effortOf(const EffortOptions& options) {
  if (options.quick && options.thorough)
    return usageError("--quick and --thorough exclude each other", "choose one");
  return options.quick ? Effort::quick : options.thorough ? Effort::thorough : Effort::standard;
}

Result<std::string> pythonOf(const std::string& python) {
  if (python.empty()) return python;
  const std::filesystem::path program = findProgram(python);
  if (program.empty())
    return Error{Stage::setup, fmt::format("--python: {} is no program", python),
                 "name a Python that has torch 2.11"};
  return program.string();
}

Result<void> checkReportFiles(const std::vector<std::string>& files) {
  for (const std::string& file : files)
    if (exporterOf(file) == nullptr)
      return usageError(fmt::format("--report: no report format for '{}'", file),
                        "use one of " + reportExtensions());
  return {};
}

Result<JobRequest> requestOf(const JobOptions& options) {
  JobRequest request = options.request;
  WB_TRY(const auto effort, effortOf(options.effort));
  request.timing.capSeconds = capSeconds(effort);
  auto stages = parseStages(options.stages);
  if (!stages) return of("--stages", std::move(stages).error());
  if (options.profile.asked) stages->add(Stage::profile);
  request.stages = *stages;
  auto tolerance = toleranceOf(options.tolerance);
  if (!tolerance) return of("--tolerance", std::move(tolerance).error());
  request.tolerance = *std::move(tolerance);
  WB_TRY(request.profile, profilePlan(options.profile));
  if (!options.profile.trace.empty() && (!stages->has(Stage::profile) || !request.profile.timeline))
    return usageError("--trace writes the timeline, which is not asked for",
                      "say --profile, without --no-timeline");
  if (request.sandbox && !request.sanitizer.empty())
    return usageError("--sandbox and --sanitize exclude each other",
                      "choose one: compute-sanitizer reaches into the process that it watches");
  if (!options.where.empty() && request.device != "auto")
    return usageError("--device and --target exclude each other", "name the device in the target");
  if (!options.where.empty() && !request.python.empty())
    return usageError("--python and --target exclude each other", "name the interpreter in the target");
  WB_DO(checkReportFiles(options.targets.reports));
  WB_TRY(request.python, pythonOf(request.python));
  request.operators = words(options.ops, ',');
  return request;
}

}  // namespace wb
