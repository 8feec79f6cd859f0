// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <utility>

#include "core/base/cut_text.h"
#include "core/figures/compare/compare_figure.h"
#include "core/service/mcp/tools/bounded.h"
#include "core/service/mcp/tools/run_request.h"
#include "core/service/mcp/tools/run_summary.h"
#include "core/service/mcp/tools/run_wait.h"
#include "core/service/mcp/tools/tools.h"

namespace wb {
namespace {

using Kind = McpArgument::Kind;

constexpr const char* kernelName = "kernel";

McpArgument sourceArgument(std::string_view name, std::string_view what) {
  return {.name = name,
          .meaning = fmt::format(
              "The whole text of {}. new_kernel gives a first one with the right signature.", what),
          .required = true};
}

std::vector<McpArgument> with(std::vector<McpArgument> first, std::vector<McpArgument> rest) {
  std::move(rest.begin(), rest.end(), std::back_inserter(first));
  return first;
}

/// A run of one kernel that was handed in, and waited for.
struct Waited {
  RunStatus status;
  std::shared_ptr<const Report> report;
};

Result<Waited> runToAnswer(KernelSource kernel, const McpArguments& arguments, const Stages& stages,
                           const ToolCall& call, ProgressPart part = {}) {
  std::vector<KernelSource> kernels;
  kernels.push_back(std::move(kernel));
  WB_TRY(auto planned, planRun(std::move(kernels), arguments, stages, call));
  WB_TRY(const std::string id, submitRun(std::move(planned), arguments.number("deadline_seconds"), call));
  WB_TRY(auto status, waitForRun(id, arguments.number("wait_seconds"), call, part));
  return Waited{std::move(status), call.host.service->report(id)};
}

ToolAnswer runKernel(const McpArguments& arguments, const ToolCall& call) {
  Stages stages{Stage::check, Stage::time};
  if (!arguments.flag("time").value_or(true)) stages.remove(Stage::time);
  const auto ran =
      runToAnswer(kernelOf(arguments.text("source"), arguments, kernelName), arguments, stages, call);
  return ran ? runAnswer(ran->status, ran->report) : failed(ran.error());
}

ToolAnswer profileKernel(const McpArguments& arguments, const ToolCall& call) {
  const auto ran = runToAnswer(kernelOf(arguments.text("source"), arguments, kernelName), arguments,
                               {Stage::check, Stage::time, Stage::profile}, call);
  return ran ? profileAnswer(ran->status, ran->report) : failed(ran.error());
}

/// What two runs came to, beside each other.
ToolAnswer compared(const Waited& a, const Waited& b) {
  ToolAnswer answer;
  answer.structured = {{"a", runValues(a.status, a.report.get())},
                       {"b", runValues(b.status, b.report.get())}};
  answer.structured["operators"] = McpJson::array();
  const bool areOver = isOver(a.status.state) && isOver(b.status.state) && a.report && b.report;
  std::string& text = answer.text;
  for (const Waited* side : {&a, &b})
    text += fmt::format("{}: {} · run `{}`, {}\n\n", side == &a ? "A" : "B",
                        answer.structured[side == &a ? "a" : "b"]["verdict"].get<std::string>(),
                        side->status.id, name(side->status.state));
  if (!areOver) {
    text += "Not both have ended. Wait for them with read_run, then compare_runs says which one is better.\n";
    return answer;
  }
  for (const ComparedOperator& each : compareOperators(*a.report, *b.report))
    answer.structured["operators"].push_back({{"op", each.op},
                                              {"winner", each.winner == Winner::a   ? "a"
                                                         : each.winner == Winner::b ? "b"
                                                                                    : "none"},
                                              {"why", each.why}});
  text += markdownPart(compareHeadline(*a.report, *b.report), 0, 10).markdown + "\n";
  text += markdownPart(compareTable(*a.report, *b.report), 0, 30, 1).markdown;
  for (const Waited* side : {&a, &b})
    for (const McpLink& link : reportLinks(side->status.id))
      if (link.mimeType == "text/markdown") answer.links.push_back(link);
  text = cutText(std::move(text), longestAnswer);
  return answer;
}

McpJson comparisonSchema() {
  McpJson schema = objectSchema({{"a", "object", "The run of A, as run_kernel gives it"},
                                 {"b", "object", "The run of B"},
                                 {"operators", "array", "Each operator's winner (a, b or none), and why"}});
  return schema;
}

ToolAnswer compareSources(const McpArguments& arguments, const ToolCall& call) {
  // Whichever GPU is free would be two of them.
  std::vector<PlannedRun> planned;
  for (const char* side : {"a", "b"}) {
    auto plan = planRun({kernelOf(arguments.text(side), arguments, side)}, arguments,
                        {Stage::check, Stage::time}, call);
    if (!plan) return failed(plan.error());
    if (plan->job.device == "auto") plan->job.device = *servedDevice("auto", call.host);
    planned.push_back(*std::move(plan));
  }
  std::vector<std::string> ids;
  for (PlannedRun& each : planned) {
    auto id = submitRun(std::move(each), arguments.number("deadline_seconds"), call);
    if (!id) {
      for (const std::string& started : ids) call.host.service->cancel(started, "its other side was refused");
      return failed(id.error());
    }
    ids.push_back(*std::move(id));
  }
  std::vector<Waited> ran;
  const auto began = std::chrono::steady_clock::now();
  for (const std::string& id : ids) {
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - began;
    auto status =
        waitForRun(id, arguments.number("wait_seconds") - waited.count(), call, {ran.empty() ? 0 : 0.5, 0.5});
    if (!status) return failed(status.error());
    ran.push_back({*std::move(status), call.host.service->report(id)});
  }
  if (call.stop.stop_requested())
    for (const std::string& id : ids) call.host.service->cancel(id, "the client cancelled the call");
  return compared(ran[0], ran[1]);
}

ToolAnswer compareRuns(const McpArguments& arguments, const ToolCall& call) {
  std::vector<Waited> ran;
  for (const char* side : {"a", "b"}) {
    const std::string id = arguments.text(side);
    auto status = ownRun(id, *call.host.service, call.client);
    if (!status) return failed(status.error());
    auto report = ownReport(id, *call.host.service, call.client);
    if (!report) return failed(report.error());
    ran.push_back({*std::move(status), *std::move(report)});
  }
  return compared(ran[0], ran[1]);
}

}  // namespace

McpTool runKernelTool(const McpHost& host) {
  return {
      .name = "run_kernel",
      .title = "Run a kernel",
      .description =
          "Compiles a kernel, checks it against PyTorch's own operator on the cases of a suite, and times "
          "both in turns. Says whether every case is right and how many times as fast as PyTorch it is, "
          "with a 95 % interval; a speedup whose interval holds 1 means nothing yet.",
      .arguments =
          with({sourceArgument("source", "the kernel")},
               with(runArguments(host), {{.name = "time",
                                          .kind = Kind::boolean,
                                          .meaning = "False: only compiles and checks, which is quicker.",
                                          .fallback = true}})),
      .output = runSchema(),
      .readOnly = false,
      .run = runKernel};
}

McpTool profileKernelTool(const McpHost& host) {
  return {.name = "profile_kernel",
          .title = "Profile a kernel",
          .description =
              "Runs a kernel as run_kernel does, then says why it is as fast as it is: the device's counters "
              "beside PyTorch's, hot lines with stall reasons, launches, occupancy, and advice. On a CPU it "
              "gives the machine code alone. Use it when the kernel is right and not fast enough.",
          .arguments = with({sourceArgument("source", "the kernel")}, runArguments(host)),
          .output = runSchema(),
          .readOnly = false,
          .run = profileKernel};
}

McpTool compareSourcesTool(const McpHost& host) {
  return {
      .name = "compare_sources",
      .title = "Compare two kernels",
      .description =
          "Runs two versions of a kernel on the same cases and the same device, one after the other, and "
          "says for each operator which one is better: who fails fewer cases, then who is faster.",
      .arguments = with({sourceArgument("a", "the first kernel"), sourceArgument("b", "the second kernel")},
                        runArguments(host)),
      .output = comparisonSchema(),
      .readOnly = false,
      .run = compareSources};
}

McpTool compareRunsTool() {
  return {
      .name = "compare_runs",
      .title = "Compare two runs",
      .description = "Compares two runs that have ended, as compare_sources does, without running anything.",
      .arguments = {{.name = "a", .meaning = "The id of the first run", .required = true},
                    {.name = "b", .meaning = "The id of the second run", .required = true}},
      .output = comparisonSchema(),
      .run = compareRuns};
}

}  // namespace wb
