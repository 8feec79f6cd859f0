// SPDX-License-Identifier: Apache-2.0
// What a run of 10 000 cases costs outside the worker.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/quantity.h"
#include "core/figures/figures.h"
#include "core/model/json/json_codec.h"
#include "core/report/exporters.h"
#include "tests/benchmarks/benchmarks.h"
#include "tests/core/model/steps.h"

namespace wb::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr int caseCount = 10'000;

Job manyCases() {
  Job job;
  job.suite = "many";
  job.kernels.push_back(
      {.path = "relu.cpp", .text = "int main;", .language = "torch_cpp", .op = "aten::relu"});
  for (int i = 0; i < caseCount; ++i)
    job.cases.push_back({.op = "aten::relu",
                         .args = fmt::format("((T([{}, 5], f32),), {{}})", i),
                         .shapes = fmt::format("{}×5", i),
                         .dtype = "f32",
                         .count = 1,
                         .seed = static_cast<std::uint64_t>(i),
                         .origin = {}});
  return job;
}

std::vector<Event> eventsOf(const Job& job) {
  std::vector<Event> events{compileStarted(), compiledStep({.op = "aten::relu",
                                                            .schema = {},
                                                            .seconds = 1,
                                                            .cached = false,
                                                            .toolchain = "clang++",
                                                            .note = {},
                                                            .artifacts = {},
                                                            .cases = job.cases})};
  for (std::uint32_t i = 0; i < caseCount; ++i) {
    events.push_back(StepStarted{Stage::check, 0, i});
    CaseCheck check;
    check.verdict = Verdict::pass;
    check.errors = ErrorFigures{.maxAbs = 1e-7 * i,
                                .maxRel = 1e-6,
                                .maxUlp = 1,
                                .mismatches = 0,
                                .elements = 5 * i,
                                .firstBadIndex = {},
                                .expected = {},
                                .actual = {}};
    events.push_back(StepDone{Stage::check, 0, i, check});
  }
  return events;
}

}  // namespace

void core() {
  const Job job = manyCases();
  const std::vector<Event> events = eventsOf(job);

  Report report = startReport(job);
  auto start = SteadyClock::now();
  std::size_t snapshots = 0;
  std::vector<Report> kept;
  for (std::size_t i = 0; i < events.size(); ++i) {
    fold(report, events[i]);
    if (i % 100 == 0) {
      kept.assign(1, report);
      ++snapshots;
    }
  }
  row(fmt::format("fold {} events, {} snapshots taken meanwhile, per event", events.size(), snapshots),
      formatSeconds(since(start) / static_cast<double>(events.size())), "-", "");

  start = SteadyClock::now();
  std::size_t bytes = 0;
  for (const Event& event : events) bytes += dump(toJson(event)).size();
  row("event to JSON text, each", formatSeconds(since(start) / static_cast<double>(events.size())), "-",
      formatBytes(static_cast<double>(bytes)) + " in all");

  start = SteadyClock::now();
  const Table table = casesTable(report);
  row(fmt::format("cases table of {} rows", table.rows.size()), formatSeconds(since(start)), "-",
      "computed off the window's thread");

  start = SteadyClock::now();
  const auto html = findExporter("html")->write(report);
  row("HTML report of the same", formatSeconds(since(start)), "-",
      html ? formatBytes(static_cast<double>(html->size())) : describe(html.error()));
}

}  // namespace wb::bench
