// SPDX-License-Identifier: Apache-2.0
#include "core/service/mcp/tools/run_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/base/cut_text.h"
#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/figures.h"
#include "core/figures/profile/profile_figures.h"
#include "core/figures/verdict/run_speedup.h"
#include "core/figures/verdict/verdict_line.h"
#include "core/service/mcp/tools/bounded.h"

namespace wb {
namespace {

constexpr std::size_t mostCases = 12, mostProblems = 8, mostFailures = 8, mostProfileRows = 20;
constexpr std::size_t longestReason = 600;

/// The cases that failed, with what to ask about.
McpJson failures(const Report& report) {
  McpJson list = McpJson::array();
  for (std::size_t k = 0; k < report.kernels.size(); ++k)
    forEachCase(*report.kernels[k], [&](std::size_t index, const CaseRow& row) {
      const Verdict verdict = row.check.verdict;
      if (list.size() >= mostFailures || verdict == Verdict::notRun || tally(verdict) != Tally::fail) return;
      list.push_back({{"case", fmt::format("{}/{}", k, index)},
                      {"title", caseLabel(row.definition)},
                      {"verdict", name(verdict)},
                      {"message", cutText(checkDetail(row.check), longestReason)}});
    });
  return list;
}

/// Why nothing of a kernel ran; null where something did.
McpJson failureOf(const Report& report) {
  if (report.failure) return cutText(describe(*report.failure), longestReason);
  for (const auto& kernel : report.kernels)
    if (kernel->failure) return cutText(describe(*kernel->failure), longestReason);
  return nullptr;
}

McpJson speedupValues(const Report& report) {
  const RunSpeedup speedup = runSpeedup(report);
  if (speedup.summary.cases == 0) return nullptr;
  return {{"geomean", speedup.summary.geomean},
          {"low", speedup.summary.low},
          {"high", speedup.summary.high},
          {"pace", name(speedup.pace)},
          {"timed_cases", speedup.summary.cases},
          {"left_out", speedup.leftOut},
          {"of", speedup.whose}};
}

std::string stateLine(const RunStatus& status, const Report* report) {
  std::string text = fmt::format("Run `{}` ", status.id);
  switch (status.state) {
    case RunState::queued:
      return text + fmt::format("waits; {} stand before it. read_run waits for it.\n",
                                plural(static_cast<std::int64_t>(status.ahead), "run", "runs"));
    case RunState::running:
      return text + fmt::format(
                        "goes on ({}). What follows is what is known so far; read_run waits for the "
                        "rest.\n",
                        report ? progressLine(*report) : std::string("it has just begun"));
    case RunState::finished:
      return text + fmt::format("took {}. The whole report is the resource {}.\n",
                                formatSeconds(std::max(status.endedAt - status.startedAt, 0.0)),
                                reportUri(status.id, ".md"));
    case RunState::cancelled:
    case RunState::expired:
    case RunState::failed:
      break;
  }
  return text + fmt::format("{}{}{}.\n", status.state == RunState::failed ? "" : "was ",
                            status.state == RunState::expired ? "ended at its deadline" : name(status.state),
                            status.reason.empty() ? "" : ": " + status.reason);
}

void addFigure(std::string& text, const Report& report, const RunStatus& status, std::string_view id,
               std::size_t most, OneCase only = {}, int highestRank = 0) {
  const FigureInfo* info = findFigure(id);
  const Figure figure = info->make(report, only);
  if (!whyEmpty(figure).empty() || sizeOf(figure) == 0) return;
  const FigurePart part = markdownPart(figure, 0, most, highestRank);
  if (part.markdown.empty()) return;
  text += "\n" + part.markdown;
  if (const std::string left = whatIsLeft(part, status.id, id); !left.empty()) text += "\n" + left;
}

std::string nextSteps(const RunStatus& status, const McpJson& failed) {
  if (failed.empty()) return {};
  return fmt::format("\nWhat is wrong with a case says explain_failing_case(run_id=\"{}\", case=\"{}\").\n",
                     status.id, failed[0]["case"].get<std::string>());
}

}  // namespace

std::string reportUri(const std::string& run, std::string_view extension) {
  return fmt::format("warpbench://runs/{}/report{}", run, extension);
}

std::vector<McpLink> reportLinks(const std::string& run) {
  return {{reportUri(run, ".md"), "report.md", "text/markdown"},
          {reportUri(run, ".html"), "report.html", "text/html"},
          {reportUri(run, ".json"), "report.json", "application/json"}};
}

McpJson runSchema() {
  return objectSchema(
      {{"run_id", "string", "Names the run to the other tools"},
       {"state", "string", "queued, running, finished, cancelled, expired or failed"},
       {"reason", "string", "Why it failed, expired or was cancelled"},
       {"title", "string", "The kernel"},
       {"device", "string", "Where it ran"},
       {"verdict", "string", "What the run came to, on one line"},
       {"correct", "boolean?", "Every case that was checked is right; null while nothing is known"},
       {"cases", "object", "Counts: total, passed, failed, void, not_run"},
       {"speedup", "object?",
        "The reference's time divided by the kernel's over all cases: geomean with its bounds low and high, "
        "and "
        "the pace: faster, slower, same or undecided"},
       {"failure", "string?", "Why the kernel did not compile or nothing ran"},
       {"failing_cases", "array", "The first cases that failed"}});
}

McpJson runValues(const RunStatus& status, const Report* report) {
  McpJson values{{"run_id", status.id},   {"state", name(status.state)},      {"reason", status.reason},
                 {"title", status.title}, {"device", status.device},          {"verdict", ""},
                 {"correct", nullptr},    {"cases", McpJson::object()},       {"speedup", nullptr},
                 {"failure", nullptr},    {"failing_cases", McpJson::array()}};
  if (report == nullptr) return values;
  const Counts all = counts(*report);
  values["verdict"] = verdictText(verdictLine(*report));
  const McpJson failure = failureOf(*report);
  if (!failure.is_null() || all.failed > 0)
    values["correct"] = false;
  else if (isOver(status.state) && all.passed > 0)
    values["correct"] = true;
  values["cases"] = {{"total", all.total},
                     {"passed", all.passed},
                     {"failed", all.failed},
                     {"void", all.neutral},
                     {"not_run", all.total - all.checked}};
  values["speedup"] = speedupValues(*report);
  values["failure"] = failure;
  values["failing_cases"] = failures(*report);
  return values;
}

ToolAnswer runAnswer(const RunStatus& status, const std::shared_ptr<const Report>& report) {
  ToolAnswer answer;
  answer.structured = runValues(status, report.get());
  if (isOver(status.state) && report) answer.links = reportLinks(status.id);
  std::string& text = answer.text;
  if (report) text = answer.structured["verdict"].get<std::string>() + "\n\n";
  text += stateLine(status, report.get());
  if (report) {
    addFigure(text, *report, status, "problems", mostProblems);
    addFigure(text, *report, status, "cases", mostCases, {}, 1);
    text += nextSteps(status, answer.structured["failing_cases"]);
  }
  text = cutText(std::move(text), longestAnswer);
  return answer;
}

ToolAnswer profileAnswer(const RunStatus& status, const std::shared_ptr<const Report>& report) {
  const auto hasCode = [](const auto& kernel) { return !kernel->listings.empty(); };
  const bool hasProfile =
      report && isOver(status.state) &&
      (counts(*report).passed > 0 || std::any_of(report->kernels.begin(), report->kernels.end(), hasCode));
  if (!hasProfile) return runAnswer(status, report);
  ToolAnswer answer;
  answer.structured = runValues(status, report.get());
  answer.links = reportLinks(status.id);
  std::string& text = answer.text;
  text = answer.structured["verdict"].get<std::string>() + "\n\n" + stateLine(status, report.get());
  addFigure(text, *report, status, "problems", mostProblems);
  const std::vector<CaseKey> profiled = profiledCases(*report);
  const bool onCpu = status.device == "cpu" || report->target.device == "cpu";
  if (onCpu)
    text +=
        "\nThis ran on the CPU, so there is the static view alone. Counters, samples and timelines need a "
        "GPU.\n";
  else if (!profiled.empty())
    text += "\nProfile of " + caseTitle(*report, profiled.front()) + ".\n";
  const OneCase only = profiled.empty() ? OneCase{} : OneCase{profiled.front()};
  for (const FigureInfo& info : figures())
    if (info.page == Page::profile && (info.rank == 0 || info.ofCode) && info.kind != FigureKind::time &&
        info.kind != FigureKind::plane && info.id != "instructions" && info.id != "ptx")
      addFigure(text, *report, status, info.id, mostProfileRows, only);
  text += fmt::format("\nThe machine code says show_assembly(run_id=\"{}\").\n", status.id);
  text = cutText(std::move(text), longestAnswer);
  return answer;
}

}  // namespace wb
