// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/selftest_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/cli/commands/known_ratios.h"
#include "app/cli/output/output.h"
#include "app/cli/output/progress_printer.h"
#include "app/cli/output/terminal.h"
#include "app/cli/run/run_job.h"
#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/base/process/process.h"
#include "core/base/python.h"
#include "core/base/quantity.h"
#include "core/figures/text/text.h"
#include "core/model/json/json_codec.h"
#include "core/suites/trace_file.h"

namespace wb {
namespace {

constexpr int usageStatus = 2, noWorkerStatus = 3, cancelledStatus = 130;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// The sizes of the table in measuring.md; the largest is too slow to draw on a CPU.
std::vector<std::int64_t> sizesFor(const std::string& device) {
  std::vector<std::int64_t> sizes{25, 65536, std::int64_t{4} << 20};
  if (device != "cpu") sizes.push_back(std::int64_t{64} << 20);
  return sizes;
}

double median(std::vector<double> values) {
  if (values.empty()) return unknown;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::int64_t elementsOf(const Case& definition) {
  std::int64_t elements = 0;
  for (const char c : definition.args) {
    if (c >= '0' && c <= '9') elements = elements * 10 + (c - '0');
    if (c == ']') break;
  }
  return elements;
}

/// How long each case took, by the events' arrival.
class CaseTimes {
 public:
  void take(const Event& event) {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (const auto* started = std::get_if<CaseStarted>(&event)) began_[started->index] = now;
    if (const auto* timed = std::get_if<CaseTimed>(&event))
      if (const auto found = began_.find(timed->index); found != began_.end())
        seconds_[timed->index] = std::chrono::duration<double>(now - found->second).count();
  }
  [[nodiscard]] std::map<std::uint32_t, double> seconds() const {
    const std::lock_guard lock(mutex_);
    return seconds_;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::uint32_t, std::chrono::steady_clock::time_point> began_;
  std::map<std::uint32_t, double> seconds_;
};

/// Triton's timer on the same sizes, by the Python whose torch the worker uses.
std::map<std::int64_t, DoBenchRow> askDoBench(const SelftestRequest& request, const std::string& device) {
  const auto python = findPython();
  if (!python) return {};
  Command command;
  command.argv = {python->string(), (resourceFolder() / "python" / "do_bench_null_test.py").string(), device,
                  std::to_string(request.repeats)};
  for (const std::int64_t size : sizesFor(device)) command.argv.push_back(std::to_string(size));
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

Cell numberCell(const std::string& text, double value) {
  Cell cell;
  cell.text = std::isnan(value) ? "" : text;
  cell.sort = value;
  return cell;
}

Column column(const char* key, const char* title, const char* meaning) {
  Column made;
  made.key = key;
  made.title = title;
  made.numeric = true;
  made.meaning = meaning;
  return made;
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

int refused(const Error& error, int status) {
  complain(error);
  return status;
}

bool everyCaseWasTimed(const Report& report) {
  const KernelReport& kernel = *report.kernels[0];
  if (kernel.counts.timed == kernel.counts.total) return true;
  std::string why = kernel.failure ? describe(*kernel.failure) : "";
  for (std::size_t i = 0; i < kernel.cases.size() && why.empty(); ++i) why = kernel.cases[i].notTimed;
  complain(fmt::format("not every case could be timed: {}", why));
  return false;
}

/// Kernels of known length, on a GPU: the report, or null where there is none.
std::shared_ptr<const Report> runKnownRatios(const SelftestRequest& request, const std::string& device) {
  if (device == "cpu") return nullptr;
  say("timing kernels of known length …");
  const Job job = knownRatioJob(std::max(1, request.repeats / 4), device);
  ProgressPrinter printer(stderr, terminal(STDERR_FILENO), false);
  RunWay way;
  way.onEvent = [&](const Event& event) { printer.take(job, event); };
  way.onReport = [&](const Report& report) { printer.show(report); };
  auto report = runJob(job, way);
  printer.clear();
  return report;
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

}  // namespace

Result<Job> selftestJob(const SelftestRequest& request, const std::string& device) {
  if (request.repeats < 1) return Error{Stage::job, "--repeats: at least one", {}, {}};
  std::string text = "Operator: aten.relu.default\n";
  for (const std::int64_t size : sizesFor(device))
    text += fmt::format("cnt: 1, ((T([{}], f32),), {{}})\n", size);
  auto sizes = parseTrace(text, "selftest");
  if (!sizes) return std::move(sizes).error();
  Job job;
  KernelSource aten;
  aten.language = "aten";
  aten.op = "aten::relu";
  job.kernels.push_back(aten);
  job.suite = "selftest";
  for (const Case& each : *sizes) {
    for (int repeat = 0; repeat < request.repeats; ++repeat) {
      job.cases.push_back(each);
      job.cases.back().seed = static_cast<std::uint64_t>(repeat) + 1;
    }
  }
  job.stages.check = false;
  job.device = device;
  // On a GPU the profile stage measures what the device reaches where that is not known; it profiles no case.
  job.stages.profile = device != "cpu";
  job.profile = ProfilePlan{};
  job.profile.sections.clear();
  job.profile.timeline = job.profile.lines = job.profile.listing = false;
  job.profile.cases = 0;
  return job;
}

std::vector<NullRow> nullRows(const Report& report, const std::map<std::uint32_t, double>& caseSeconds) {
  std::vector<NullRow> rows;
  std::map<std::int64_t, std::vector<double>> times, clocks, costs;
  if (report.kernels.empty()) return rows;
  const KernelReport& kernel = *report.kernels[0];
  for (std::size_t i = 0; i < kernel.cases.size(); ++i) {
    const CaseRow& each = kernel.cases[i];
    if (!each.timing) continue;
    const std::int64_t elements = elementsOf(each.definition);
    if (rows.empty() || rows.back().elements != elements) {
      rows.emplace_back();
      rows.back().elements = elements;
      rows.back().clock = each.timing->clock;
    }
    NullRow& row = rows.back();
    const Speedup& speedup = each.timing->speedup;
    ++row.repeats;
    row.worst = std::max(row.worst, std::abs(speedup.ratio - 1));
    row.covered += speedup.low <= 1 && 1 <= speedup.high ? 1 : 0;
    times[elements].push_back(each.timing->candidate);
    if (each.timing->events.candidate > 0 && each.timing->kernel.candidate > 0)
      clocks[elements].push_back(each.timing->events.candidate / each.timing->kernel.candidate - 1);
    if (const auto found = caseSeconds.find(static_cast<std::uint32_t>(i)); found != caseSeconds.end())
      costs[elements].push_back(found->second);
  }
  for (NullRow& row : rows) {
    row.seconds = median(times[row.elements]);
    row.clocks = median(clocks[row.elements]);
    double sum = 0;
    for (const double cost : costs[row.elements]) sum += cost;
    row.caseSeconds = costs[row.elements].empty() ? 0 : sum / static_cast<double>(costs[row.elements].size());
  }
  return rows;
}

Table nullTable(const std::vector<NullRow>& rows, const std::map<std::int64_t, DoBenchRow>& doBench) {
  Table table;
  table.id = "selftest";
  table.title = "Null test";
  table.empty = "Nothing was timed.";
  table.columns = {
      column("elements", "Elements", "Of the vector"),
      column("time", "Time", "Of one call, median"),
      column("worst", "Worst error", "Largest |speedup − 1|, which should be 0"),
      column("covered", "Covers 1", "Intervals that hold the true speedup, 1; 95 % should"),
      column("cost", "A case", "What timing one case took"),
      column("clocks", "Two clocks", "Kernel time by events over that by CUPTI's records, less 1"),
      column("dobench", "do_bench: worst", "The same of two runs of Triton's do_bench, one after the other"),
      column("dobenchcost", "A pair", "What those two runs took"),
      column("clock", "Clock", "What was measured"),
  };
  table.columns.back().numeric = false;
  for (const NullRow& row : rows) {
    const auto peer = doBench.find(row.elements);
    const DoBenchRow theirs = peer == doBench.end() ? DoBenchRow{unknown, unknown} : peer->second;
    Cell clock;
    clock.text = row.clock;
    table.rows.push_back({
        numberCell(formatCount(row.elements), static_cast<double>(row.elements)),
        numberCell(formatSeconds(row.seconds), row.seconds),
        numberCell(formatPercent(row.worst), row.worst),
        numberCell(fmt::format("{} of {}", row.covered, row.repeats), row.covered),
        numberCell(formatSeconds(row.caseSeconds), row.caseSeconds > 0 ? row.caseSeconds : unknown),
        numberCell(formatChange(row.clocks), row.clocks),
        numberCell(formatPercent(theirs.worst), theirs.worst),
        numberCell(formatSeconds(theirs.seconds), theirs.seconds),
        clock,
    });
    table.rowIds.push_back(std::to_string(row.elements));
  }
  return table;
}

NullRun runNullTest(const Job& job, const RunWay& way) {
  CaseTimes times;
  RunWay timed = way;
  timed.onEvent = [&](const Event& event) {
    times.take(event);
    if (way.onEvent) way.onEvent(event);
  };
  NullRun run;
  run.report = runJob(job, timed);
  if (run.report) run.rows = nullRows(*run.report, times.seconds());
  return run;
}

int selftestCommand(const SelftestRequest& request) {
  if (const auto possible = checkJsonTarget(request.json); !possible)
    return refused(possible.error(), usageStatus);
  const auto device = resolveDevice(request.device, knownDevices());
  if (!device) return refused(device.error(), noWorkerStatus);
  const auto job = selftestJob(request, *device);
  if (!job) return refused(job.error(), usageStatus);
  ProgressPrinter printer(stderr, terminal(STDERR_FILENO), false);
  RunWay way;
  way.onEvent = [&](const Event& event) { printer.take(*job, event); };
  way.onReport = [&](const Report& report) { printer.show(report); };
  const NullRun run = runNullTest(*job, way);
  printer.clear();
  if (!run.report || run.report->kernels.empty()) return noWorkerStatus;
  const Report& report = *run.report;
  if (report.failure) return refused(*report.failure, noWorkerStatus);
  if (report.outcome == Outcome::cancelled) return cancelledStatus;
  const auto known = runKnownRatios(request, *device);
  if (known && known->outcome == Outcome::cancelled) return cancelledStatus;
  std::map<std::int64_t, DoBenchRow> doBench;
  if (request.doBench && *device != "cpu") doBench = askDoBench(request, *device);
  if (request.json == "-")
    show(dump(toJson(report), 2) + "\n");
  else
    printResult(report, nullTable(run.rows, doBench));
  if (known && request.json != "-") printKnownRatios(*known);
  if (!request.json.empty() && request.json != "-")
    if (auto written = writeFileAtomically(request.json, dump(toJson(report), 2) + "\n"); !written)
      return refused(written.error(), usageStatus);
  if (known && !request.json.empty() && request.json != "-")
    if (auto written = writeFileAtomically(request.json + ".ratios", dump(toJson(*known), 2) + "\n");
        !written)
      return refused(written.error(), usageStatus);
  if (lostByUs(report)) return lostByUsStatus;
  return everyCaseWasTimed(report) ? 0 : noWorkerStatus;
}

}  // namespace wb
