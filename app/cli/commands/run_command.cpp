// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/run_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "app/cli/commands/suite_choice.h"
#include "app/cli/options/words.h"
#include "app/cli/output/output.h"
#include "app/cli/output/progress_printer.h"
#include "app/cli/output/run_output.h"
#include "app/cli/run/run_job.h"
#include "core/base/files/file.h"
#include "core/jobs/problems.h"
#include "core/model/languages.h"
#include "core/model/operators/operator_name.h"
#include "core/report/exporters.h"
#include "core/runner/runner.h"
#include "core/runner/sanitizer.h"
#include "core/suites/kernel_dtype.h"

namespace wb {
namespace {

constexpr int usageStatus = 2, noWorkerStatus = 3;

Result<Stages> parseStages(const std::string& text) {
  Stages stages{.check = false, .time = false};
  for (const std::string& stage : words(text, ',')) {
    if (stage == "check") {
      stages.check = true;
    } else if (stage == "time") {
      stages.time = true;
    } else if (stage == "profile") {
      stages.profile = true;
    } else if (stage != "compile") {
      return Error{Stage::job,
                   fmt::format("--stages: there is no stage '{}'", stage),
                   "stages are compile, check, time and profile",
                   {}};
    }
  }
  if (stages.time && !stages.check)
    return Error{Stage::job,
                 "--stages: time needs check",
                 "a wrong kernel's time means nothing; say compile,check,time",
                 {}};
  return stages;
}

std::optional<double> parseNumber(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0)) return std::nullopt;
  return value;
}

Result<Tolerance> parseTolerance(const std::string& text) {
  if (text == "torch" || text == "backendbench" || text == "strict")
    return Tolerance{.preset = text, .rtol = 0, .atol = 0};
  const auto parts = words(text, ',');
  if (parts.size() == 2) {
    const auto rtol = parseNumber(parts[0]), atol = parseNumber(parts[1]);
    if (rtol && atol) return Tolerance{.preset = "given", .rtol = *rtol, .atol = *atol};
  }
  return Error{Stage::job,
               fmt::format("--tolerance: '{}' is neither a preset nor RTOL,ATOL", text),
               "say torch, backendbench, strict, or two numbers such as 1e-3,1e-5",
               {}};
}

/// ATen's own operator in a kernel's place.
KernelSource atenKernel(const std::string& op) {
  KernelSource kernel;
  kernel.language = "aten";
  kernel.op = op;
  return kernel;
}

/// A kernel's text and its language.
Result<KernelSource> readKernel(const RunOptions& options, const std::string& file) {
  auto text = readSource(file);
  if (!text) return std::move(text).error();
  KernelSource kernel{.path = file,
                      .text = std::move(*text),
                      .language = options.language,
                      .op = options.op,
                      .referencePath = "",
                      .referenceText = ""};
  if (!kernel.language.empty()) return kernel;
  const Language* language = detectLanguage(file, kernel.text);
  if (language == nullptr)
    return Error{Stage::job, "no language for such a file",
                 "see warpbench list languages, or say which with --language", Place{file, 0, 0}};
  kernel.language = language->id;
  return kernel;
}

/// The suite's dtype where none was chosen: what the kernels are written for. Files that cannot be read are
/// told of later.
std::string dtypeFor(const RunOptions& options) {
  std::vector<std::string> texts;
  if (options.dtype != automaticDtype) return options.dtype;
  if (const auto files = kernelFiles(options.kernels))
    for (const std::string& file : *files)
      if (auto text = readSource(file)) texts.push_back(*std::move(text));
  return suiteDtype(options.dtype, texts);
}

/// The kernels of all files; what cannot be read is an error, but one of many in a folder.
Result<std::vector<KernelSource>> readFiles(const RunOptions& options, std::vector<Error>& unread) {
  const auto files = kernelFiles(options.kernels);
  if (!files) return files.error();
  std::vector<KernelSource> kernels;
  for (const std::string& file : *files) {
    auto kernel = readKernel(options, file);
    if (kernel) {
      kernels.push_back(*std::move(kernel));
      continue;
    }
    const bool asked =
        std::find(options.kernels.begin(), options.kernels.end(), file) != options.kernels.end();
    if (asked) return std::move(kernel).error();
    unread.push_back(std::move(kernel).error());
  }
  if (kernels.empty() && !unread.empty()) return unread.front();
  return kernels;
}

Result<std::vector<KernelSource>> readKernels(const RunOptions& options, const Suite& suite,
                                              std::vector<Error>& unread) {
  if (!options.language.empty() && findLanguage(options.language) == nullptr)
    return Error{Stage::job,
                 fmt::format("--language: there is no language '{}'", options.language),
                 "see warpbench list languages",
                 {}};
  auto read = readFiles(options, unread);
  if (!read) return read;
  std::vector<KernelSource> kernels = *std::move(read);
  if (!options.problem.empty()) {
    if (kernels.empty()) return problemsAlone(options.problem, unread);
    if (auto attached = attachProblems(kernels, options.problem); !attached)
      return std::move(attached).error();
  }
  if (!kernels.empty()) return kernels;
  // No file: ATen against itself, each operator that was asked for.
  if (!options.op.empty()) {
    kernels.push_back(atenKernel(options.op));
    return kernels;
  }
  if (options.ops.empty() && options.suite == RunOptions{}.suite)
    return Error{Stage::job,
                 "no kernel to run",
                 "give a kernel's file, or --op NAME (or --ops '*') to run ATen's own operators against "
                 "themselves",
                 {}};
  std::set<std::string> seen;
  for (const Case& definition : suite.cases)
    if (seen.insert(definition.op).second) kernels.push_back(atenKernel(definition.op));
  return kernels;
}

}  // namespace

Result<Job> makeJob(const RunOptions& options, std::vector<Error>* unread) {
  std::vector<Error> skipped;
  Job job;
  if (options.quick && options.thorough)
    return Error{Stage::job, "--quick and --thorough exclude each other", "choose one", {}};
  auto stages = parseStages(options.stages);
  if (!stages) return std::move(stages).error();
  auto tolerance = parseTolerance(options.tolerance);
  if (!tolerance) return std::move(tolerance).error();
  if (options.profile.asked) stages->profile = true;
  auto plan = profilePlan(options.profile);
  if (!plan) return std::move(plan).error();
  if (!options.profile.trace.empty() && (!stages->profile || !plan->timeline))
    return Error{Stage::job,
                 "--trace writes the timeline, which is not asked for",
                 "say --profile, without --no-timeline",
                 {}};
  for (const std::string& file : options.reports)
    if (exporterOf(file) == nullptr)
      return Error{Stage::job,
                   fmt::format("--report: no report format for '{}'", file),
                   "use one of " + reportExtensions(),
                   {}};
  auto suite = chooseSuite({.suite = options.suite,
                            .dtype = dtypeFor(options),
                            .device = options.device,
                            .ops = options.ops,
                            .topn = options.topn,
                            .kernels = options.kernels});
  if (!suite) return std::move(suite).error();
  auto kernels = readKernels(options, *suite, unread != nullptr ? *unread : skipped);
  if (!kernels) return std::move(kernels).error();
  job.kernels = std::move(*kernels);
  job.suite = suite->name;
  job.cases = std::move(suite->cases);
  job.checking.scoreTrivial = suite->scoreTrivial;
  job.checking.oracle = options.oracle;
  job.checking.scoreCrashed = options.scoreCrashed;
  job.stages = *stages;
  job.profile = *std::move(plan);
  job.tolerance = *tolerance;
  job.timing.capSeconds = options.quick ? 0.25 : options.thorough ? 10 : 1;
  job.limits = options.limits;
  job.seed = options.seed;
  job.device = options.device;
  job.sanitizer = options.sanitizer;
  prepareForSanitizer(job);
  return job;
}

int runCommand(const RunOptions& options) {
  // How the worker and the suites find it, both alike.
  if (!options.python.empty()) setenv("WARPBENCH_PYTHON", options.python.c_str(), 1);
  if (const auto possible = checkJsonTarget(options.json); !possible) {
    complain(possible.error());
    return usageStatus;
  }
  std::vector<Error> unread;
  auto job = makeJob(options, &unread);
  if (!job) {
    complain(job.error());
    return usageStatus;
  }
  auto device = resolveDevice(options.device, knownDevices());
  if (!device) {
    complain(device.error());
    return noWorkerStatus;
  }
  job->device = *device;
  if (!job->sanitizer.empty())
    if (const auto possible = checkSanitizer(job->sanitizer, *device); !possible) {
      complain(fmt::format("--sanitize: {}", describe(possible.error())));
      return possible.error().stage == Stage::setup ? noWorkerStatus : usageStatus;
    }
  if (const auto places = workerDevices(*device, options.workers, knownDevices()); !places) {
    complain(places.error());
    return usageStatus;
  }

  for (const Error& each : unread) complain("left out: " + describe(each));
  ProgressPrinter printer(stderr, terminal(STDERR_FILENO), options.verbose);
  const Job shown = *job;
  RunWay way;
  way.workers = options.workers;
  way.onEvent = [&](const Event& event) { printer.take(shown, event); };
  way.onReport = [&](const Report& report) { printer.show(report); };
  const auto last = runJob(*std::move(job), way);
  printer.clear();
  if (!last) {
    complain("the run gave no report");
    return noWorkerStatus;
  }
  int status = exitStatus(*last);
  if (status == 0 && sanitizerFoundErrors(*last)) status = 1;
  // As a kernel that does not compile.
  if (status == 0 && !unread.empty()) status = usageStatus;
  return giveResult(options, *last, status);
}

}  // namespace wb
