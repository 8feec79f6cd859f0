// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/problems.h"
#include "app/cli/profile_output.h"
#include "app/cli/progress_printer.h"
#include "app/cli/run_job.h"
#include "app/cli/suite_choice.h"
#include "app/cli/words.h"
#include "core/base/file.h"
#include "core/base/quantity.h"
#include "core/figures/figures.h"
#include "core/figures/text.h"
#include "core/model/json_codec.h"
#include "core/model/languages.h"
#include "core/model/operator_name.h"
#include "core/report/chrome_trace_exporter.h"
#include "core/report/exporters.h"
#include "core/runner/runner.h"
#include "core/runner/sanitizer.h"

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

Result<std::vector<KernelSource>> readKernels(const RunOptions& options, const Suite& suite) {
  if (!options.language.empty() && findLanguage(options.language) == nullptr)
    return Error{Stage::job,
                 fmt::format("--language: there is no language '{}'", options.language),
                 "see warpbench list languages",
                 {}};
  std::vector<KernelSource> kernels;
  const auto files = kernelFiles(options.kernels);
  if (!files) return files.error();
  for (const std::string& file : *files) {
    auto text = readSource(file);
    if (!text) return std::move(text).error();
    KernelSource kernel{.path = file,
                        .text = std::move(*text),
                        .language = options.language,
                        .op = options.op,
                        .referencePath = "",
                        .referenceText = ""};
    if (kernel.language.empty()) {
      const Language* language = detectLanguage(file, kernel.text);
      if (language == nullptr)
        return Error{Stage::job, fmt::format("{}: no language for such a file", file),
                     "see warpbench list languages, or say which with --language", Place{file, 0, 0}};
      kernel.language = language->id;
    }
    kernels.push_back(std::move(kernel));
  }
  if (!options.problem.empty()) {
    if (kernels.empty()) return problemsAlone(options.problem);
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

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void printResult(const Report& report, const Terminal& out) {
  const TextStyle style{.width = out.interactive ? static_cast<std::size_t>(out.width) : 0,
                        .colours = out.colors,
                        .maxRows = 40};
  print("\n" + toText(headline(report), style));
  if (counts(report).total > 0) print("\n" + toText(operatorsTable(report), style));
  const BarChart chart = speedupChart(report);
  if (!chart.bars.empty()) print("\n" + toText(chart, style));
  print(profileText(report, style));
}

/// Right answers by wrong accesses are no success.
bool sanitizerFoundErrors(const Report& report) {
  for (const auto& kernel : report.kernels)
    for (const Diagnostic& diagnostic : kernel->diagnostics)
      if (diagnostic.severity == Severity::error && diagnostic.tool.starts_with("compute-sanitizer"))
        return true;
  return false;
}

/// The timeline, where one was asked for by --trace.
Result<void> writeTrace(const std::string& file, const Report& report) {
  auto trace = chromeTrace(report);
  if (!trace) return std::move(trace).error();
  return writeFileAtomically(file, *trace);
}

/// What the sanitizer came to, which the runner says in the log.
void printSanitizerSummary(const Report& report) {
  if (report.sanitizer.empty()) return;
  for (std::size_t i = 0; i < report.log.size(); ++i)
    if (report.log[i].source == "runner" && report.log[i].text.starts_with("compute-sanitizer"))
      print(report.log[i].text + "\n");
}

int writeOutputs(const RunOptions& options, const Report& report, int status) {
  if (const std::string& file = options.profile.trace; !file.empty()) {
    if (auto written = writeTrace(file, report); !written) {
      fmt::print(stderr, "warpbench: --trace: {}\n", describe(written.error()));
      status = status == 0 ? usageStatus : status;
    } else {
      fmt::print(stderr, "trace: {} (open it in ui.perfetto.dev)\n", file);
    }
  }
  for (const std::string& file : options.reports) {
    if (auto written = exportReport(report, file); !written) {
      fmt::print(stderr, "warpbench: {}\n", describe(written.error()));
      status = status == 0 ? usageStatus : status;
    } else {
      fmt::print(stderr, "report: {}\n", file);
    }
  }
  if (options.json == "-") {
    print(dump(toJson(report), 2) + "\n");
  } else if (!options.json.empty()) {
    if (auto written = writeFileAtomically(options.json, dump(toJson(report), 2) + "\n"); !written) {
      fmt::print(stderr, "warpbench: {}\n", describe(written.error()));
      status = status == 0 ? usageStatus : status;
    }
  }
  return status;
}

}  // namespace

Result<Job> makeJob(const RunOptions& options) {
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
                            .dtype = options.dtype,
                            .device = options.device,
                            .ops = options.ops,
                            .topn = options.topn,
                            .kernels = options.kernels});
  if (!suite) return std::move(suite).error();
  auto kernels = readKernels(options, *suite);
  if (!kernels) return std::move(kernels).error();
  job.kernels = std::move(*kernels);
  job.suite = suite->name;
  job.cases = std::move(suite->cases);
  job.checking.scoreTrivial = suite->scoreTrivial;
  job.checking.oracle = options.oracle;
  job.stages = *stages;
  job.profile = *std::move(plan);
  job.tolerance = *tolerance;
  job.timing.capSeconds = options.quick ? 0.25 : options.thorough ? 10 : 1;
  job.seed = options.seed;
  job.device = options.device;
  job.sanitizer = options.sanitizer;
  prepareForSanitizer(job);
  return job;
}

int runCommand(const RunOptions& options) {
  // How the worker and the suites find it, both alike.
  if (!options.python.empty()) setenv("WARPBENCH_PYTHON", options.python.c_str(), 1);
  const bool resultToStdout = options.json != "-";
  auto job = makeJob(options);
  if (!job) {
    fmt::print(stderr, "warpbench: {}\n", describe(job.error()));
    return usageStatus;
  }
  auto device = resolveDevice(options.device, devices());
  if (!device) {
    fmt::print(stderr, "warpbench: {}\n", describe(device.error()));
    return noWorkerStatus;
  }
  job->device = *device;
  if (!job->sanitizer.empty())
    if (const auto possible = checkSanitizer(job->sanitizer, *device); !possible) {
      fmt::print(stderr, "warpbench: --sanitize: {}\n", describe(possible.error()));
      return possible.error().stage == Stage::setup ? noWorkerStatus : usageStatus;
    }
  if (const auto places = workerDevices(*device, options.workers, devices()); !places) {
    fmt::print(stderr, "warpbench: {}\n", describe(places.error()));
    return usageStatus;
  }

  ProgressPrinter printer(stderr, terminal(STDERR_FILENO), options.verbose);
  const Job shown = *job;
  RunWay way;
  way.workers = options.workers;
  way.onEvent = [&](const Event& event) { printer.take(shown, event); };
  way.onReport = [&](const Report& report) { printer.show(report); };
  const auto last = runJob(*std::move(job), way);
  printer.clear();
  if (!last) {
    fmt::print(stderr, "warpbench: the run gave no report\n");
    return noWorkerStatus;
  }
  if (resultToStdout) printResult(*last, terminal(STDOUT_FILENO));
  if (resultToStdout) printSanitizerSummary(*last);
  const int status = exitStatus(*last);
  return writeOutputs(options, *last, status == 0 && sanitizerFoundErrors(*last) ? 1 : status);
}

}  // namespace wb
