// SPDX-License-Identifier: Apache-2.0
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "core/base/cut_text.h"
#include "core/base/text.h"
#include "core/figures/cells.h"
#include "core/figures/code/code_listing.h"
#include "core/figures/figures.h"
#include "core/figures/profile/profile_figures.h"
#include "core/figures/verdict/verdict_line.h"
#include "core/service/mcp/tools/bounded.h"
#include "core/service/mcp/tools/explain.h"
#include "core/service/mcp/tools/run_summary.h"
#include "core/service/mcp/tools/run_wait.h"
#include "core/service/mcp/tools/tools.h"

namespace wb {
namespace {

using Kind = McpArgument::Kind;

constexpr double mostRows = 200, longestWait = 3600;
constexpr std::size_t mostAssemblyBytes = 20'000;

McpArgument runArgument() {
  return {.name = "run_id", .meaning = "The run, as run_kernel or read_last_runs names it", .required = true};
}

std::vector<std::string> figureNames() {
  std::vector<std::string> names;
  for (const FigureInfo& info : figures()) names.emplace_back(info.id);
  return names;
}

ToolAnswer figureAnswer(const RunStatus& status, const Report& report, const McpArguments& arguments) {
  const std::string id = arguments.text("figure");
  const FigureInfo& info = *findFigure(id);
  OneCase only;
  if (const std::string wanted = arguments.text("case"); !wanted.empty()) {
    const auto key = caseNamed(report, wanted);
    if (!key) return failed(key.error());
    only = *key;
  }
  const Figure figure = info.make(report, only);
  ToolAnswer answer;
  answer.structured = runValues(status, &report);
  if (const std::string_view why = whyEmpty(figure); !why.empty()) {
    answer.text = std::string(why) + "\n";
    return answer;
  }
  const FigurePart part = markdownPart(figure, static_cast<std::size_t>(arguments.integer("first_row")),
                                       static_cast<std::size_t>(arguments.integer("most_rows")), 2);
  answer.text = part.markdown;
  if (const std::string left = whatIsLeft(part, status.id, id); !left.empty()) answer.text += "\n" + left;
  return answer;
}

ToolAnswer readRun(const McpArguments& arguments, const ToolCall& call) {
  Service& service = *call.host.service;
  const std::string id = arguments.text("run_id");
  auto status = ownRun(id, service, call.client);
  if (!status) return failed(status.error());
  if (!isOver(status->state) && arguments.number("wait_seconds") > 0) {
    status = followRun(id, arguments.number("wait_seconds"), call);
    if (!status) return failed(status.error());
  }
  const auto report = service.report(id);
  if (arguments.text("figure").empty())
    return report && report->stages.has(Stage::profile) ? profileAnswer(*status, report)
                                                        : runAnswer(*status, report);
  const auto kept = ownReport(id, service, call.client);
  if (!kept) return failed(kept.error());
  return figureAnswer(*status, **kept, arguments);
}

std::string timeText(double seconds) {
  return seconds > 0 ? fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(static_cast<std::time_t>(seconds)))
                     : std::string();
}

ToolAnswer readLastRuns(const McpArguments& arguments, const ToolCall& call) {
  // Of all clients, since only those that are one's own count.
  constexpr std::size_t mostAsked = 1000;
  const auto most = static_cast<std::size_t>(arguments.integer("most"));
  Service& service = *call.host.service;
  ToolAnswer answer;
  McpJson list = McpJson::array();
  std::size_t own = 0;
  Table table;
  table.id = "runs";
  table.title = "Runs";
  table.columns = {{.key = "run", .title = "Run"},
                   {.key = "state", .title = "State"},
                   {.key = "when", .title = "Handed in"},
                   {.key = "verdict", .title = "What it came to"}};
  for (const RunStatus& status : service.runs(mostAsked)) {
    if (status.client != call.client || ++own > most) continue;
    const auto report = service.report(status.id);
    const std::string verdict = report ? verdictText(verdictLine(*report)) : status.title;
    const std::string words = status.reason.empty() ? verdict : verdict + " · " + status.reason;
    Table::Row row{.id = status.id};
    for (const std::string& text :
         {status.id, std::string(name(status.state)), timeText(status.submittedAt), words})
      row.cells.push_back(textCell(text));
    table.rows.push_back(std::move(row));
    list.push_back({{"run_id", status.id},
                    {"state", name(status.state)},
                    {"title", status.title},
                    {"device", status.device},
                    {"submitted_at_seconds", status.submittedAt},
                    {"verdict", verdict},
                    {"reason", status.reason}});
  }
  table.empty = "There are no runs yet.";
  answer.text = markdownPart(table, 0, most).markdown;
  if (own > most) answer.text += fmt::format("\nThe newest {} of {} runs.\n", most, own);
  answer.structured = {{"runs", std::move(list)}, {"all", own}};
  return answer;
}

ToolAnswer cancelRun(const McpArguments& arguments, const ToolCall& call) {
  Service& service = *call.host.service;
  const std::string id = arguments.text("run_id");
  auto status = ownRun(id, service, call.client);
  if (!status) return failed(status.error());
  if (isOver(status->state)) return failed(fmt::format("the run is over already: {}", name(status->state)));
  service.cancel(id, "cancelled by its client");
  status = ownRun(id, service, call.client);
  if (!status) return failed(status.error());
  return runAnswer(*status, service.report(id));
}

ToolAnswer explainFailingCase(const McpArguments& arguments, const ToolCall& call) {
  const auto report = ownReport(arguments.text("run_id"), *call.host.service, call.client);
  if (!report) return failed(report.error());
  const auto key = caseNamed(**report, arguments.text("case"));
  if (!key) return failed(key.error());
  const CaseRow& row = (*report)->kernels[key->kernel]->cases[key->index];
  ToolAnswer answer{.text = explainCase(**report, *key)};
  answer.structured = {
      {"case", fmt::format("{}/{}", key->kernel, key->index)}, {"op", row.definition.op},
      {"arguments", cutText(row.definition.args, 1500)},       {"verdict", name(row.check.verdict)},
      {"message", cutText(row.check.message, 2000)},           {"try", whatToTry(row)}};
  return answer;
}

/// The forms of a kernel's code, as a list to choose from.
std::string formsText(const CodeListing& listing) {
  std::string text;
  for (std::size_t f = 0; f < listing.forms.size(); ++f) {
    const CodeForm& form = listing.forms[f];
    text += fmt::format("- form {}: {} of {}{}{}, {} lines\n", f, form.language, form.function,
                        form.dtype.empty() ? "" : ", " + form.dtype,
                        form.architecture.empty() ? "" : ", " + form.architecture, form.rows.size());
  }
  return text;
}

std::string rowText(const CodeForm& form, std::size_t at) {
  const CodeRow& row = form.rows[at];
  std::string text = row.address.empty() ? "" : row.address + "  ";
  text += row.text;
  if (row.line > 0) text += fmt::format("   ; line {}", row.line);
  std::int64_t samples = 0;
  if (const auto stalls = form.stalls.find(at); stalls != form.stalls.end())
    for (const auto& [reason, count] : stalls->second) samples += count;
  if (samples > 0) text += fmt::format(", {} samples", samples);
  return text;
}

ToolAnswer showAssembly(const McpArguments& arguments, const ToolCall& call) {
  const auto report = ownReport(arguments.text("run_id"), *call.host.service, call.client);
  if (!report) return failed(report.error());
  const auto profiled = profiledCases(**report);
  const CodeListing listing =
      codeListing(**report, profiled.empty() ? OneCase{CaseKey{}} : OneCase{profiled.front()});
  if (listing.forms.empty())
    return failed(listing.empty.empty() ? "there is no machine code of this run" : listing.empty,
                  "profile_kernel lists a kernel's code, also without a GPU");
  const std::int64_t wanted = arguments.integer("form");
  const std::size_t number = wanted < 0 ? firstForm(listing) : static_cast<std::size_t>(wanted);
  if (number >= listing.forms.size())
    return failed(fmt::format("there is no form {}", number), "\n" + formsText(listing));
  const CodeForm& form = listing.forms[number];
  const std::string filter = lowerCase(arguments.text("filter"));
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < form.rows.size(); ++at) {
    std::string line = rowText(form, at);
    if (filter.empty() || lowerCase(line).find(filter) != std::string::npos) lines.push_back(std::move(line));
  }
  const LinesPart part =
      linesPart(lines, static_cast<std::size_t>(arguments.integer("first_line")),
                static_cast<std::size_t>(arguments.integer("most_lines")), mostAssemblyBytes);
  ToolAnswer answer;
  answer.text =
      fmt::format("{} of {}. Lines {} to {} of {}{}.\n\n{}", form.language, form.function,
                  part.shown == 0 ? part.first : part.first + 1, part.first + part.shown, part.lines,
                  filter.empty() ? "" : " that hold '" + filter + "'", fenced(part.text, "asm"));
  if (part.first + part.shown < part.lines)
    answer.text += fmt::format("\nfirst_line={} gives the next ones; filter takes a part of a line.\n",
                               part.first + part.shown);
  if (listing.forms.size() > 1) answer.text += "\nThe forms of this kernel:\n" + formsText(listing);
  answer.text = cutText(std::move(answer.text), longestAnswer);
  answer.structured = {{"form", number},           {"language", form.language}, {"function", form.function},
                       {"first_line", part.first}, {"lines_shown", part.shown}, {"lines", part.lines},
                       {"text", part.text}};
  return answer;
}

}  // namespace

McpTool readRunTool() {
  return {.name = "read_run",
          .title = "Read a run",
          .description =
              "Says what a run came to, or how far it is. With wait_seconds it waits for the end first. With "
              "figure it gives one table or chart of the report, in pages of rows.",
          .arguments = {runArgument(),
                        {.name = "wait_seconds",
                         .kind = Kind::number,
                         .meaning = "Waits so long for the end of the run",
                         .fallback = 0,
                         .most = longestWait},
                        {.name = "figure",
                         .meaning = "The figure to give; left out, the run is summed up",
                         .words = figureNames()},
                        {.name = "case",
                         .meaning = "The figure of this case alone, named as in failing_cases: 0/3"},
                        {.name = "first_row",
                         .kind = Kind::integer,
                         .meaning = "The first row of the figure, from 0",
                         .fallback = 0,
                         .most = 1e9},
                        {.name = "most_rows",
                         .kind = Kind::integer,
                         .meaning = "So many rows at most",
                         .fallback = 40,
                         .least = 1,
                         .most = mostRows}},
          .output = runSchema(),
          .run = readRun};
}

McpTool readLastRunsTool() {
  return {.name = "read_last_runs",
          .title = "Read the last runs",
          .description = "Lists the newest runs, those under way first, with what each came to.",
          .arguments = {{.name = "most",
                         .kind = Kind::integer,
                         .meaning = "So many runs at most",
                         .fallback = 10,
                         .least = 1,
                         .most = 100}},
          .output = objectSchema({{"runs", "array",
                                   "The runs: run_id, state, title, device, verdict, reason and "
                                   "submitted_at_seconds since 1970"},
                                  {"all", "integer", "How many there are"}}),
          .run = readLastRuns};
}

McpTool cancelRunTool() {
  return {.name = "cancel_run",
          .title = "Cancel a run",
          .description = "Ends a run that waits or goes on; what it found until then stays.",
          .arguments = {runArgument()},
          .output = runSchema(),
          .readOnly = false,
          .run = cancelRun};
}

McpTool explainFailingCaseTool() {
  return {
      .name = "explain_failing_case",
      .title = "Explain a failing case",
      .description =
          "Says why a case of a run failed: the verdict, some wrong elements with what was expected, where "
          "they lie, what the case was made from and what to try. Use it before changing the kernel.",
      .arguments = {runArgument(),
                    {.name = "case",
                     .meaning =
                         "The case, named as in failing_cases: 0/3. Left out, the first that failed."}},
      .output = objectSchema({{"case", "string", "The case"},
                              {"op", "string", "Its operator"},
                              {"arguments", "string", "Its arguments, as run_kernel's 'cases' takes them"},
                              {"verdict", "string", "mismatch, threw, crashed, hung, wrong-shape, …"},
                              {"message", "string", "The reason"},
                              {"try", "array", "What to try"}}),
      .run = explainFailingCase};
}

McpTool showAssemblyTool() {
  return {
      .name = "show_assembly",
      .title = "Show machine code",
      .description =
          "Shows the code that compilers made of a kernel (SASS, PTX, Triton's forms, x86) with the lines "
          "of the source, and samples where it was profiled. The run has to come from profile_kernel.",
      .arguments = {runArgument(),
                    {.name = "form",
                     .kind = Kind::integer,
                     .meaning = "Which function and language, by the number in the answer; −1 is the one "
                                "that matters most",
                     .fallback = -1,
                     .least = -1,
                     .most = 1e6},
                    {.name = "filter", .meaning = "Only lines that hold this text: 'LDG', 'line 12'"},
                    {.name = "first_line",
                     .kind = Kind::integer,
                     .meaning = "The first line to show, from 0",
                     .fallback = 0,
                     .most = 1e9},
                    {.name = "most_lines",
                     .kind = Kind::integer,
                     .meaning = "So many lines at most",
                     .fallback = 120,
                     .least = 1,
                     .most = 400}},
      .output = objectSchema({{"form", "integer", "The number of the form"},
                              {"language", "string", "SASS, PTX, x86-64, …"},
                              {"function", "string", "The function"},
                              {"first_line", "integer", "The first line of this part, from 0"},
                              {"lines_shown", "integer", "How many lines this part has"},
                              {"lines", "integer", "How many there are, after the filter"},
                              {"text", "string", "The lines"}}),
      .run = showAssembly};
}

}  // namespace wb
