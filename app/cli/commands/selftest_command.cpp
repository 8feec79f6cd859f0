// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "app/cli/commands/verb.h"
#include "app/cli/options/job_options.h"
#include "app/cli/options/whole_number.h"
#include "app/cli/output/output.h"
#include "app/cli/output/report_files.h"
#include "app/cli/output/terminal.h"
#include "app/cli/run/case_times.h"
#include "app/cli/run/chosen_device.h"
#include "app/cli/run/watched_run.h"
#include "core/base/files/paths.h"
#include "core/base/process/process.h"
#include "core/base/python.h"
#include "core/base/quantity.h"
#include "core/figures/selftest/known_ratios_figure.h"
#include "core/figures/selftest/null_test_figure.h"
#include "core/figures/text/text.h"
#include "core/jobs/selftest.h"
#include "core/model/exit/exit_status.h"
#include "core/model/json/json_codec.h"
#include "core/report/formats.h"

namespace wb {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

constexpr const char* everything = "everything";
constexpr const char* ratios = "ratios";
constexpr const char* differences = "differences";

struct Options {
  std::string device = "auto";
  /// How often each size is timed.
  int repeats = 20;
  /// Whether Triton's timer is shown beside Warpbench's, where it is installed.
  bool doBench = true;
  /// What is timed: "everything", "ratios" or "differences".
  std::string what{everything};
  std::string json;
};

/// Runs Triton's timer on the same sizes, with the Python whose torch the worker uses.
std::map<std::int64_t, DoBenchRow> askDoBench(const Options& options, const std::string& device) {
  const auto python = findPython();
  if (!python) return {};
  Command command;
  command.argv = {python->string(), (resourceFolder() / "python" / "do_bench_null_test.py").string(), device,
                  std::to_string(options.repeats)};
  for (const std::int64_t size : nullTestSizes(device)) command.argv.push_back(std::to_string(size));
  say("timing the same with Triton's do_bench …");
  const auto run = runToEnd(command, std::chrono::minutes{10});
  std::map<std::int64_t, DoBenchRow> rows;
  if (!run || !run->ok()) {
    complain(fmt::format("do_bench did not run: {}", run ? fit(run->err, 400) : describe(run.error())));
    return rows;
  }
  std::istringstream lines(run->out);
  for (std::string line; std::getline(lines, line);) {
    const auto json = parseJson(line);
    if (!json || !json->is_object()) continue;
    if (json->contains("missing"))
      say(fmt::format("do_bench is not there: {}", json->value("missing", "")));
    else
      rows[json->value("elements", std::int64_t{0})] = {json->value("worst", unknown),
                                                        json->value("seconds", unknown)};
  }
  return rows;
}

void printResult(const Report& report, const Table& table) {
  show(fmt::format(
      "{}, torch {}: ATen's relu of float32 against itself, {}\n\n", report.target.deviceName,
      report.target.torch,
      report.device == "cpu" ? "by wall clock, as there is no device to ask" : "by the device's own clock"));
  const Terminal out = terminal(STDOUT_FILENO);
  TextStyle style;
  style.width = out.interactive ? static_cast<std::size_t>(out.width) : 0;
  show(toText(table, style));
}

bool everyCaseWasTimed(const Report& report) {
  const KernelReport& kernel = *report.kernels[0];
  if (kernel.counts.timed == kernel.counts.total) return true;
  std::string why = kernel.failure ? describe(*kernel.failure) : "";
  for (std::size_t i = 0; i < kernel.cases.size() && why.empty(); ++i) why = kernel.cases[i].notTimed;
  complain(fmt::format("not every case could be timed: {}", why));
  return false;
}

/// Runs kernels of known length on a GPU; null where there is none.
std::shared_ptr<const Report> runKnownRatios(const Options& options, const std::string& device) {
  if (device == "cpu") return nullptr;
  say("timing kernels of known length …");
  const int repeats = options.what == everything ? std::max(1, options.repeats / 4) : options.repeats;
  const auto job = makeJob(knownRatioRequest(repeats, device, options.what == differences));
  return job ? runWatched(*job, {}) : nullptr;
}

void printKnownRatios(const Report& report) {
  const auto known = knownRatios(report);
  if (!known) {
    std::string why;
    for (const auto& kernel : report.kernels)
      if (kernel->failure && why.empty()) why = ": " + describe(*kernel->failure);
    complain(fmt::format("known ratios: {}{}", describe(known.error()), why));
    return;
  }
  show(fmt::format(
      "\nkernels of known length against each other; one that waits no longer than it must takes {}\n\n",
      formatSeconds(known->empty)));
  const Terminal out = terminal(STDOUT_FILENO);
  TextStyle style;
  style.width = out.interactive ? static_cast<std::size_t>(out.width) : 0;
  show(toText(knownRatioTable(*known), style));
}

/// Times kernels of known length alone. Gives the exit status.
int selftestOfRatios(const Options& options, const std::string& device) {
  if (device == "cpu")
    return refuse(
        Error{Stage::job, "kernels of known length need a GPU", "without --only it times ATen alone"});
  const auto report = runKnownRatios(options, device);
  if (!report || report->kernels.empty()) return ExitStatus::noWorker;
  if (report->outcome == Outcome::cancelled) return ExitStatus::cancelled;
  ReportFiles files;
  files.write({.json = options.json}, *report);
  if (options.json == "-")
    show(dump(toJson(*report), 2) + "\n");
  else
    printKnownRatios(*report);
  const int status = files.finish(ExitStatus::good);
  if (status != ExitStatus::good) return status;
  if (lostByUs(*report)) return ExitStatus::lostByUs;
  return everyCaseWasTimed(*report) ? ExitStatus::good : ExitStatus::noWorker;
}

/// Times ATen against itself and prints how far the ratios are from 1. Gives the exit status: 0 when every
/// size was timed.
int selftest(const Options& options) {
  if (const auto possible = checkJsonTarget(options.json); !possible) return refuse(possible.error());
  const auto device = chosenDevice(options.device);
  if (!device) return refuse(device.error());
  if (options.what != everything) return selftestOfRatios(options, *device);
  const auto job = makeJob(nullTestRequest(options.repeats, *device));
  if (!job) return refuse(job.error());
  CaseTimes times;
  const auto last = runWatched(*job, {.onEvent = [&](const Event& event) { times.take(event); }});
  if (!last || last->kernels.empty()) return ExitStatus::noWorker;
  const Report& report = *last;
  if (report.failure) {
    complain(*report.failure);
    return ExitStatus::noWorker;
  }
  if (report.outcome == Outcome::cancelled) return ExitStatus::cancelled;
  const auto known = runKnownRatios(options, *device);
  // Whoever does not wait for the kernels of known length has what was timed before them.
  const bool cut = known && known->outcome == Outcome::cancelled;
  std::map<std::int64_t, DoBenchRow> doBench;
  if (options.doBench && !cut && *device != "cpu") doBench = askDoBench(options, *device);
  ReportFiles files;
  files.write({.json = options.json}, report);
  if (known && !cut && !options.json.empty() && options.json != "-")
    files.write({.json = options.json + ".ratios"}, *known);
  if (options.json == "-") {
    show(dump(toJson(report), 2) + "\n");
  } else {
    printResult(report, nullTable(nullRows(report, times.seconds()), doBench));
    if (known && !cut) printKnownRatios(*known);
  }
  const int status = files.finish(ExitStatus::good);
  if (status != ExitStatus::good) return status;
  if (cut) return ExitStatus::cancelled;
  if (lostByUs(report) || (known && lostByUs(*known))) return ExitStatus::lostByUs;
  return everyCaseWasTimed(report) ? ExitStatus::good : ExitStatus::noWorker;
}

void addOptions(CLI::App& command, Options& options) {
  command.add_option("--device", options.device, "auto, cpu or cuda:N")->capture_default_str();
  command.add_option("--repeats", options.repeats, "Of each size")
      ->check(wholeNumber(1, 10000))
      ->capture_default_str();
  command
      .add_option(
          "--only", options.what,
          "everything, ratios (kernels of known length) or differences (those of 1.01, 1.02 and 1.05)")
      ->check(CLI::IsMember({everything, ratios, differences}))
      ->capture_default_str();
  command.add_flag("!--no-do-bench", options.doBench, "Do not run Triton's do_bench beside it");
  command.add_option("--json", options.json,
                     "Write the report as JSON to this file, or - for standard output");
}

}  // namespace

Verb selftestVerb() {
  auto options = std::make_shared<Options>();
  return {"selftest", "Time ATen against itself: how far from 1 does that come out here",
          [options](CLI::App& command) { addOptions(command, *options); },
          [options](const std::string&) { return selftest(*options); }};
}

}  // namespace wb
