// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "app/cli/commands/verb.h"
#include "app/cli/options/job_options.h"
#include "app/cli/options/limit_options.h"
#include "app/cli/options/option_errors.h"
#include "app/cli/options/whole_number.h"
#include "app/cli/options/words.h"
#include "app/cli/output/backendbench_log.h"
#include "app/cli/output/level_log.h"
#include "app/cli/output/output.h"
#include "app/cli/output/progress_printer.h"
#include "app/cli/output/report_files.h"
#include "app/cli/output/terminal.h"
#include "app/cli/run/chosen_device.h"
#include "app/cli/run/run_job.h"
#include "core/base/files/file.h"
#include "core/jobs/backendbench/plan.h"
#include "core/jobs/job_request.h"
#include "core/model/exit/exit_status.h"
#include "core/report/backendbench/backendbench_exporter.h"
#include "core/report/backendbench/backendbench_scores.h"
#include "core/report/backendbench/corrections.h"
#include "core/report/backendbench/unloaded_kernels.h"
#include "core/report/exporters.h"
#include "core/runner/remote/target_places.h"

namespace wb {
namespace {

/// BackendBench's options for writing kernels with a language model. They are accepted, so that its command
/// lines work as they are, and not used, as BackendBench's other backends do not use them either.
struct UnusedOptions {
  int attempts = 5, agentWorkers = 4, agentRounds = 10;
  std::string model = "claude-sonnet-4-20250514", dsl = "triton";
  bool daemon = true;
};

/// BackendBench's options by their names, then Warpbench's own.
struct Options {
  Options() {
    request.device = "auto";
    request.backendBench.emplace();
  }
  JobRequest request;
  /// DEBUG, INFO, WARNING, ERROR or CRITICAL.
  std::string logLevel = "INFO";
  /// A list with commas.
  std::string ops;
  std::optional<int> topn;
  std::string logDir;
  bool disableOutputLogs = false;
  std::optional<int> workers;
  /// The threshold of perf@p.
  double p = 1.0;
  std::string dtype;
  std::vector<std::string> reports;
  /// The words of the command as they were typed.
  std::string arguments;
  UnusedOptions unused;

  [[nodiscard]] bool copies() const { return request.checking.likeBackendBench; }
};

/// The folder for the output by BackendBench's defaults: beside the kernels of a directory, else a folder of
/// its own.
std::filesystem::path outputFolder(const Options& options) {
  if (!options.logDir.empty()) return options.logDir;
  if (readsDirectory(options.request)) return options.request.backendBench->opsDirectory;
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 32> stamp{};
  std::strftime(stamp.data(), stamp.size(), "%Y%m%d_%H%M%S", &local);
  return fmt::format("backendbench_output_{}", stamp.data());
}

std::string commandLine(const Options& options) {
  return fmt::format("{} {}",
                     options.copies() ? "python -m BackendBench.scripts.main" : "warpbench backendbench",
                     options.arguments);
}

std::shared_ptr<const Report> run(const Options& options, const Job& job, const LevelLog& log) {
  const Terminal terminal = wb::terminal(STDERR_FILENO);
  ProgressPrinter printer(stderr, terminal, false);
  RunWay way;
  way.workers = options.workers.value_or(1);
  way.python = options.request.python;
  way.onEvent = [&](const Event& event) {
    const auto line = backendBenchLine(job, event);
    if (!line || !log.shows(line->level)) return;
    printer.clear();
    log.say(line->level, line->text);
  };
  way.onReport = [&](const Report& report) {
    if (terminal.interactive) printer.show(report);
  };
  auto report = runJob(job, way);
  printer.clear();
  return report;
}

Result<void> writeFiles(const std::filesystem::path& folder, const BackendBenchFiles& files) {
  const std::pair<const char*, const std::string*> list[] = {
      {"full_results.json", &files.fullResults},
      {"failed_tests.json", &files.failedTests},
      {"operator_summary.csv", files.operatorSummary ? &*files.operatorSummary : nullptr},
      {"OVERALL_SUMMARY.md", &files.overallSummary}};
  for (const auto& [name, text] : list)
    if (text) WB_DO(writeFileAtomically(folder / name, *text));
  return {};
}

int write(const Options& options, const Report& report, const BackendBenchRows& rows, const LevelLog& log) {
  ReportFiles files;
  if (!options.disableOutputLogs) {
    const std::filesystem::path folder = outputFolder(options);
    files.take(
        writeFiles(folder, backendBenchFiles(rows, {options.copies(), options.p, commandLine(options)})));
    if (!files.failed()) log.say(Level::info, fmt::format("Results saved to directory: {}", folder.string()));
  }
  for (const std::string& file : options.reports) files.take(exportReport(report, file));
  return files.finish(ExitStatus::good);
}

void printClosing(const Options& options, const PlannedJob& plan, const Report& report,
                  const BackendBenchRows& rows) {
  if (!options.copies()) {
    const std::vector<std::string> lines = corrections(report, plan.choices);
    if (!lines.empty()) {
      show("Otherwise than BackendBench in this run (--like-backendbench copies it):\n");
      for (const std::string& line : lines) show(fmt::format("  {}\n", line));
    }
  }
  show(closingLines(backendBenchScores(rows, options.p, options.copies()), options.p));
  flushShown();
}

/// Why nothing could be tried: every kernel of the report lacks the same thing on this machine.
const Error* cannotRun(const Report& report) {
  if (report.failure) return &*report.failure;
  for (const auto& kernel : report.kernels)
    if (!kernel->failure || kernel->failure->stage != Stage::setup) return nullptr;
  return report.kernels.empty() ? nullptr : &*report.kernels.front()->failure;
}

/// The request that the options mean, with its device resolved. Errors: an option's value, no such device.
Result<JobRequest> requestOf(const Options& options) {
  JobRequest request = options.request;
  if (options.topn && *options.topn < 1) return usageError("--topn-inputs must be at least 1", {});
  request.topn = options.topn.value_or(0);
  request.operators = words(options.ops, ',');
  if (!options.dtype.empty()) request.dtype = options.dtype;
  WB_TRY(request.python, pythonOf(request.python));
  WB_TRY(request.device, chosenDevice(backendBenchDevice(request)));
  return request;
}

int runOptions(Options options) {
  const auto level = findLevel(options.logLevel);
  if (!level)
    return refuse(usageError(fmt::format("--log-level: there is no level '{}'", options.logLevel),
                             "use DEBUG, INFO, WARNING, ERROR or CRITICAL"));
  const LevelLog log(stderr, *level);
  auto request = requestOf(options);
  if (!request) return refuse(request.error());
  options.request = *std::move(request);
  if (const auto places = workerDevices(options.request.device, options.workers.value_or(1), knownDevices());
      !places)
    return refuse(places.error());
  SuiteProgress progress;
  progress.onText = [&](const std::string& text) { log.say(Level::info, text); };
  const auto plan = planJob(options.request, progress);
  if (!plan) return refuse(withOptions(plan.error()));
  for (const std::string& warning : plan->warnings) log.say(Level::warning, warning);
  if (!plan->loaded.empty()) log.say(Level::info, plan->loaded);

  Report report = startReport(plan->job);
  if (!plan->job.kernels.empty()) {
    const auto last = run(options, plan->job, log);
    if (!last) return refuse({Stage::setup, "the run gave no report", {}, {}});
    report = *last;
  }
  if (const Error* why = cannotRun(report)) {
    complain(*why);
    return ExitStatus::noWorker;
  }
  if (!options.copies()) report = withUnloadedKernels(std::move(report), plan->job.cases);
  const BackendBenchRows rows = backendBenchRows(report, options.copies());
  for (const LogLine& line : handedToAten(report)) log.say(line.level, line.text);
  const int status = write(options, report, rows, log);
  printClosing(options, *plan, report, rows);
  if (report.outcome == Outcome::cancelled) return ExitStatus::cancelled;
  if (report.outcome == Outcome::workerLost) return ExitStatus::noWorker;
  return status == ExitStatus::good && lostByUs(report) ? ExitStatus::lostByUs : status;
}

void addUnusedOptions(CLI::App& command, UnusedOptions& unused) {
  const std::string group = "Taken and not used (Warpbench writes no kernels)";
  command.add_option("--llm-attempts", unused.attempts)->group(group);
  command.add_option("--llm-model", unused.model)->group(group);
  command.add_option("--kernel-agent-workers", unused.agentWorkers)->group(group);
  command.add_option("--kernel-agent-max-rounds", unused.agentRounds)->group(group);
  command.add_option("--dsl", unused.dsl)->group(group);
  command.add_flag("--daemon,!--no-daemon", unused.daemon)->group(group);
}

void addTheirOptions(CLI::App& command, Options& options) {
  BackendBenchChoice& theirs = *options.request.backendBench;
  command.add_option("--log-level", options.logLevel, "DEBUG, INFO, WARNING, ERROR or CRITICAL")
      ->envname("LOG_LEVEL")
      ->capture_default_str();
  command.add_option("--suite", options.request.suite, "smoke, opinfo or torchbench")->capture_default_str();
  command
      .add_option("--backend", theirs.backend,
                  "aten, directory or flag_gems; pregenerated: directory, with its older layouts")
      ->capture_default_str();
  command.add_option("--ops", options.ops, "Only these operators: names or globs, comma-separated");
  command.add_option("--topn-inputs,--topn", options.topn, "torchbench: only the N largest inputs of each");
  command.add_option("--alternative-torchbench-data-path", theirs.traceFile,
                     "torchbench: this .parquet or .txt file");
  command.add_option("--ops-directory,--kernels-dir", theirs.opsDirectory, "The directory backend's kernels")
      ->capture_default_str();
  command.add_option("--log-dir", options.logDir,
                     "Where the four files go (default: the ops directory, else backendbench_output_TIME)");
  command.add_flag("--disable-output-logs", options.disableOutputLogs, "Write no files");
  command.add_option("--num-workers", options.workers, "Worker processes that share the cases")
      ->check(wholeNumber(1, mostWorkers));
  command.add_flag("--check-overhead-dominated-ops", theirs.overheadDominated,
                   "torchbench: only inputs whose time is mostly launching");
  command.add_option("--p", options.p, "Threshold of perf@p")->capture_default_str();
}

void addOwnOptions(CLI::App& command, Options& options) {
  JobRequest& request = options.request;
  const std::string own = "Warpbench's own";
  command.add_option("--device", request.device, "auto, cpu or cuda:N")->capture_default_str()->group(own);
  command.add_option("--dtype", options.dtype, "opinfo's and smoke's (default: bfloat16, smoke float32)")
      ->group(own);
  command
      .add_flag("--like-backendbench", request.checking.likeBackendBench,
                "Copy BackendBench's quirks instead of correcting them")
      ->group(own);
  command
      .add_flag("--score-crashed", request.checking.scoreCrashed,
                "Score a kernel that crashed or hung in some case, too (--like-backendbench does)")
      ->group(own);
  command.add_option("--python", request.python, "Python whose torch and packages are used")->group(own);
  command
      .add_option(
          "--report", options.reports,
          fmt::format("Write Warpbench's report too; the format is the file's: {}", reportExtensions()))
      ->group(own);
  addLimitOptions(command, request.limits, false);
}

}  // namespace

Verb backendBenchVerb() {
  auto options = std::make_shared<Options>();
  const auto declare = [options](CLI::App& command) {
    addTheirOptions(command, *options);
    addOwnOptions(command, *options);
    addUnusedOptions(command, options->unused);
    command.footer(
        "Exit status: 0 with any scores, 2 usage or nothing that --ops matches, 3 no worker or device,\n"
        "4 Warpbench lost a worker of its own, 130 cancelled.\nWhat is done otherwise than by BackendBench: "
        "resources/help/backendbench.md");
  };
  const auto run = [options](const std::string& typed) {
    options->arguments = typed;
    return runOptions(*options);
  };
  return {"backendbench", "BackendBench's job, with its options and its files", declare, run};
}

}  // namespace wb
