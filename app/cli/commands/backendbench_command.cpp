// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/backendbench_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "app/cli/output/level_log.h"
#include "app/cli/output/output.h"
#include "app/cli/output/progress_printer.h"
#include "app/cli/output/terminal.h"
#include "app/cli/run/run_job.h"
#include "core/base/files/file.h"
#include "core/model/log_sources.h"
#include "core/model/operators/operator_name.h"
#include "core/report/backendbench/backendbench_exporter.h"
#include "core/report/backendbench/backendbench_scores.h"
#include "core/report/exporters.h"

namespace wb {
namespace {

constexpr int usageStatus = 2, noWorkerStatus = 3, cancelledStatus = 130;

int refused(const Error& error) {
  complain(error);
  return error.stage == Stage::setup ? noWorkerStatus : usageStatus;
}

/// Beside the kernels for a directory, else a folder of its own: BackendBench's defaults.
std::filesystem::path outputFolder(const BackendBenchRequest& request) {
  if (!request.logDir.empty()) return request.logDir;
  if (readsDirectory(request)) return request.opsDirectory;
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 32> stamp{};
  std::strftime(stamp.data(), stamp.size(), "%Y%m%d_%H%M%S", &local);
  return fmt::format("backendbench_output_{}", stamp.data());
}

std::string commandLine(const BackendBenchRequest& request) {
  return fmt::format("{} {}", request.like ? "python -m BackendBench.scripts.main" : "warpbench backendbench",
                     request.arguments);
}

/// BackendBench's log lines, from what happens.
void logEvent(const LevelLog& log, const Job& job, const Event& event) {
  const auto source = [&](std::uint32_t kernel) -> const KernelSource* {
    return kernel < job.kernels.size() && !job.kernels[kernel].path.empty() ? &job.kernels[kernel] : nullptr;
  };
  if (const auto* compiled = std::get_if<Compiled>(&event)) {
    if (const KernelSource* kernel = source(compiled->kernel)) {
      const std::string op = shortName(compiled->op);
      log.say(Level::info, fmt::format("Loaded {} from {} -> aten.{}", op, kernel->path, op));
    }
  } else if (const auto* failed = std::get_if<StageFailed>(&event)) {
    if (!failed->kernel) return;  // the whole job: said at the end
    const KernelSource* kernel = source(*failed->kernel);
    log.say(Level::error, kernel ? fmt::format("Error loading {} from {}: {}", shortName(kernel->op),
                                               kernel->path, describe(failed->error))
                                 : describe(failed->error));
  } else if (const auto* lost = std::get_if<WorkerLost>(&event)) {
    log.say(Level::error, describe(*lost) + "; no code of the kernel's was running: a fault of Warpbench");
  } else if (const auto* checked = std::get_if<CaseChecked>(&event)) {
    const CaseCheck& check = checked->check;
    if (tally(check.verdict) == Tally::fail && checked->kernel < job.kernels.size())
      log.say(
          check.verdict == Verdict::threw ? Level::warning : Level::info,
          fmt::format("{}: case {}: {}{}{}", shortName(job.kernels[checked->kernel].op), checked->index + 1,
                      name(check.verdict), check.message.empty() ? "" : ": ", check.message));
  } else if (const auto* text = std::get_if<Log>(&event)) {
    log.say(text->source == preparingSource ? Level::info : Level::debug,
            fmt::format("{} {}", text->source, text->text));
  }
}

std::shared_ptr<const Report> run(const BackendBenchRequest& request, const Job& job, const LevelLog& log) {
  const Terminal terminal = wb::terminal(STDERR_FILENO);
  ProgressPrinter printer(stderr, terminal, false);
  RunWay way;
  way.workers = request.workers.value_or(1);
  way.onEvent = [&](const Event& event) {
    if (!log.wants(event)) return;
    printer.clear();
    logEvent(log, job, event);
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
    if (text)
      if (auto written = writeFileAtomically(folder / name, *text); !written) return written;
  return {};
}

int write(const BackendBenchRequest& request, const Report& report, const BackendBenchRows& rows,
          const LevelLog& log) {
  int status = 0;
  const auto check = [&](const Result<void>& written) {
    if (written) return;
    complain(written.error());
    status = usageStatus;
  };
  if (!request.disableOutputLogs) {
    const std::filesystem::path folder = outputFolder(request);
    check(writeFiles(folder, backendBenchFiles(rows, {request.like, request.p, commandLine(request)})));
    if (status == 0) log.say(Level::info, fmt::format("Results saved to directory: {}", folder.string()));
  }
  for (const std::string& file : request.reports) check(exportReport(report, file));
  return status;
}

void printClosing(const BackendBenchRequest& request, const BackendBenchPlan& plan, const Report& report,
                  const BackendBenchRows& rows) {
  if (!request.like) {
    const std::vector<std::string> lines = corrections(report, plan);
    if (!lines.empty()) {
      show("Otherwise than BackendBench in this run (--like-backendbench copies it):\n");
      for (const std::string& line : lines) show(fmt::format("  {}\n", line));
    }
  }
  show(closingLines(backendBenchScores(rows, request.p, request.like), request.p));
  flushShown();
}

/// Why nothing could be tried: a report whose every kernel wants for the same thing of the machine.
const Error* cannotRun(const Report& report) {
  if (report.failure) return &*report.failure;
  for (const auto& kernel : report.kernels)
    if (!kernel->failure || kernel->failure->stage != Stage::setup) return nullptr;
  return report.kernels.empty() ? nullptr : &*report.kernels.front()->failure;
}

}  // namespace

Report withUnloadedKernels(Report report, const std::vector<Case>& cases) {
  for (auto& kernel : report.kernels) {
    if (!kernel->failure || kernel->failure->stage == Stage::setup || !kernel->cases.empty()) continue;
    KernelReport& changed = kernel.write();
    for (const Case& each : cases) {
      if (each.op != changed.source.op) continue;
      CaseRow row;
      row.definition = each;
      row.check.verdict = Verdict::threw;
      row.check.message = changed.failure->text;
      row.check.errorType = changed.failure->type;
      row.check.trace = changed.failure->trace;
      changed.cases.push(std::move(row));
      ++changed.counts.total;
      ++changed.counts.checked;
      ++changed.counts.failed;
    }
  }
  return report;
}

int backendBenchCommand(const BackendBenchRequest& request) {
  const auto level = findLevel(request.logLevel);
  if (!level)
    return refused({Stage::job,
                    fmt::format("--log-level: there is no level '{}'", request.logLevel),
                    "use DEBUG, INFO, WARNING, ERROR or CRITICAL",
                    {}});
  const LevelLog log(stderr, *level);
  // How the worker, the suites and flag_gems find it, all alike.
  if (!request.python.empty()) setenv("WARPBENCH_PYTHON", request.python.c_str(), 1);
  const auto device = backendBenchDevice(request);
  if (!device) {
    complain(device.error());
    return noWorkerStatus;
  }
  if (const auto places = workerDevices(*device, request.workers.value_or(1), knownDevices()); !places)
    return refused(places.error());
  SuiteProgress progress;
  progress.onText = [&](const std::string& text) { log.say(Level::info, text); };
  const auto plan = planBackendBench(request, *device, progress);
  if (!plan) return refused(plan.error());
  for (const std::string& problem : plan->problems) log.say(Level::warning, problem);
  if (!plan->loaded.empty()) log.say(Level::info, plan->loaded);

  Report report = startReport(plan->job);
  if (!plan->job.kernels.empty()) {
    const auto last = run(request, plan->job, log);
    if (!last) return refused({Stage::setup, "the run gave no report", {}, {}});
    report = *last;
  }
  if (const Error* why = cannotRun(report)) {
    complain(*why);
    return noWorkerStatus;
  }
  if (!request.like) report = withUnloadedKernels(std::move(report), plan->job.cases);
  const BackendBenchRows rows = backendBenchRows(report, request.like);
  const int status = write(request, report, rows, log);
  printClosing(request, *plan, report, rows);
  if (report.outcome == Outcome::cancelled) return cancelledStatus;
  if (report.outcome == Outcome::workerLost) return noWorkerStatus;
  return status == 0 && lostByUs(report) ? lostByUsStatus : status;
}

}  // namespace wb
