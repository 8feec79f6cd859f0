// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/cli/commands/verb.h"
#include "app/cli/options/job_options.h"
#include "app/cli/options/limit_options.h"
#include "app/cli/options/option_errors.h"
#include "app/cli/options/words.h"
#include "app/cli/output/output.h"
#include "app/cli/output/report_files.h"
#include "app/cli/output/suite_progress.h"
#include "app/cli/output/terminal.h"
#include "app/cli/run/chosen_device.h"
#include "app/cli/run/watched_run.h"
#include "core/figures/compare/compare_figure.h"
#include "core/figures/text/text.h"
#include "core/figures/text/text_width.h"
#include "core/jobs/saved_report.h"
#include "core/model/exit/exit_status.h"
#include "core/report/comparison_exporter.h"

namespace wb {
namespace {

/// One of the two sides: a kernel's file, a directory in BackendBench's layout, or a saved report (.json).
struct Side {
  std::string name;
  Job job{};
  std::shared_ptr<const Report> report{};

  [[nodiscard]] bool isReport() const { return std::filesystem::path(name).extension() == ".json"; }
};

struct Options {
  Options() {
    request.device = "auto";
    request.dtype = "bfloat16";
    request.operatorFolders = true;
  }
  /// What both sides have in common.
  JobRequest request;
  std::string a, b;
  /// A list with commas.
  std::string ops;
  EffortOptions effort;
  ReportTargets targets;
};

/// Why a side cannot be compared: nothing of it was run.
const Error* failureOf(const Report& report) {
  if (report.failure) return &*report.failure;
  for (const auto& kernel : report.kernels)
    if (!kernel->failure) return nullptr;
  return report.kernels.empty() ? nullptr : &*report.kernels.front()->failure;
}

Result<JobRequest> requestOf(const Options& options) {
  JobRequest request = options.request;
  for (const std::string& file : options.targets.reports)
    if (!canExportComparison(file))
      return usageError(fmt::format("--report: a comparison cannot be written as '{}'", file),
                        "use " + comparisonExtensions());
  WB_DO(checkJsonTarget(options.targets.json));
  WB_TRY(const auto effort, effortOf(options.effort));
  request.timing.capSeconds = capSeconds(effort);
  request.operators = words(options.ops, ',');
  return request;
}

/// Makes the jobs of the sides that are not reports; the suite is made once, for both.
Result<void> prepare(JobRequest request, Side& a, Side& b) {
  {
    SuiteProgressLine line;
    WB_TRY(request.cases, chooseSuite(request, {}, line.progress()));
  }
  for (Side* side : {&a, &b}) {
    if (side->isReport()) continue;
    request.files = {side->name};
    WB_TRY(side->job, makeJob(request));
  }
  return {};
}

/// Runs a side, or reads it.
Result<void> bring(Side& side) {
  if (side.isReport()) {
    WB_TRY(side.report, readSavedReport(side.name));
    if (side.report->outcome == Outcome::running)
      complain(fmt::format("{}: the run of this report has not ended", printable(side.name)));
    return {};
  }
  side.report = runWatched(side.job, {});
  if (!side.report) return Error{Stage::setup, "the run gave no report"};
  if (const Error* failure = failureOf(*side.report)) return *failure;
  return {};
}

bool wasCancelled(const Side& side) {
  return !side.isReport() && side.report->outcome == Outcome::cancelled;
}

int finish(const Options& options, const Report& a, const Report& b) {
  const Comparison comparison{a, b, options.a, options.b};
  if (a.target.deviceName != b.target.deviceName)
    complain(fmt::format("A ran on {}, B on {}: their speedups are not of the same reference",
                         a.target.deviceName, b.target.deviceName));
  // The files come first, so that they are there whatever happens to the terminal.
  ReportFiles files;
  files.writeJson(options.targets.json, comparisonJson(comparison));
  for (const std::string& file : options.targets.reports) files.take(exportComparison(comparison, file));
  if (options.targets.json == "-") {
    show(comparisonJson(comparison));
    return files.finish(ExitStatus::good);
  }
  const Terminal out = terminal(STDOUT_FILENO);
  const TextStyle style{.width = out.interactive ? static_cast<std::size_t>(out.width) : 0,
                        .colours = out.colors,
                        .maxRows = 0};
  show(fmt::format("\nA: {}\nB: {}\n\n{}\n{}", printable(options.a), printable(options.b),
                   toText(compareHeadline(a, b), style), toText(compareTable(a, b), style)));
  if (const BarChart chart = compareChart(a, b); !chart.bars.empty()) show("\n" + toText(chart, style));
  return files.finish(ExitStatus::good);
}

/// Runs whatever is not a report, A before B.
int compare(const Options& options) {
  auto request = requestOf(options);
  if (!request) return refuse(request.error());
  Side a{options.a}, b{options.b};
  if (!a.isReport() || !b.isReport()) {
    auto device = chosenDevice(request->device);
    if (!device) return refuse(device.error());
    request->device = *std::move(device);
    if (auto ready = prepare(*std::move(request), a, b); !ready) return refuse(ready.error());
  }
  for (Side* side : {&a, &b}) {
    if (auto there = bring(*side); !there) return refuse(there.error());
    if (side == &a && wasCancelled(a)) return ExitStatus::cancelled;
  }
  const int status = finish(options, *a.report, *b.report);
  if (wasCancelled(b)) return ExitStatus::cancelled;
  const bool lost = lostByUs(*a.report) || lostByUs(*b.report);
  return status == ExitStatus::good && lost ? ExitStatus::lostByUs : status;
}

void addOptions(CLI::App& command, Options& options) {
  JobRequest& request = options.request;
  command.add_option("A", options.a, "Kernel file, directory in BackendBench's layout, or report (.json)")
      ->required();
  command.add_option("B", options.b, "The other one")->required();
  command.add_option("--op", request.op, "Operator that the kernel files implement");
  command.add_option("--suite", request.suite, "Suite by name, or a file of cases")->capture_default_str();
  command.add_option("--ops", options.ops, "Only these operators: names or globs, comma-separated");
  command.add_option("--device", request.device, "auto, cpu or cuda:N")->capture_default_str();
  command.add_option("--dtype", request.dtype, "Of suites that are made for one")->capture_default_str();
  command.add_option("--json", options.targets.json,
                     "Write the comparison as JSON to this file, or - for standard output");
  command.add_option("--report", options.targets.reports,
                     fmt::format("Write the comparison: {} (may be repeated)", comparisonExtensions()));
  addEffortOptions(command, options.effort);
  addLimitOptions(command, request.limits, false);
  command.footer(
      "Exit status: 0 compared, 2 usage or nothing to compare, 3 no worker or device, 130 cancelled.");
}

}  // namespace

Verb compareVerb() {
  auto options = std::make_shared<Options>();
  return {"compare", "Compare two kernels, two directories or two saved reports",
          [options](CLI::App& command) { addOptions(command, *options); },
          [options](const std::string&) { return compare(*options); }};
}

}  // namespace wb
