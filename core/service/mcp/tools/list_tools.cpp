// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/cut_text.h"
#include "core/base/nearest.h"
#include "core/base/text.h"
#include "core/doctor/doctor_table.h"
#include "core/figures/cells.h"
#include "core/jobs/job_request.h"
#include "core/model/languages.h"
#include "core/model/operators/operator_name.h"
#include "core/model/operators/operator_search.h"
#include "core/service/mcp/tools/bounded.h"
#include "core/service/mcp/tools/run_request.h"
#include "core/service/mcp/tools/tools.h"
#include "core/suites/suites.h"
#include "core/templates/new_kernel.h"

namespace wb {
namespace {

using Kind = McpArgument::Kind;

ToolAnswer listOperators(const McpArguments& arguments, const ToolCall& call) {
  const auto catalogue = call.host.catalogue();
  if (!catalogue) return failed(catalogue.error());
  const auto most = static_cast<std::size_t>(arguments.integer("most"));
  const std::string wanted = arguments.text("search");
  const std::vector<std::size_t> all =
      searchOperators(wanted, catalogue->operators, catalogue->operators.size());
  ToolAnswer answer;
  McpJson list = McpJson::array();
  std::string lines;
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) {
    const OperatorEntry& entry = catalogue->operators[all[i]];
    lines += entry.schema + "\n";
    list.push_back({{"op", shortName(entry.name)}, {"schema", entry.schema}});
  }
  if (all.empty()) {
    std::vector<std::string> names;
    for (const OperatorEntry& entry : catalogue->operators) names.push_back(shortName(entry.name));
    const std::string near = didYouMean(wanted, names);
    answer.text = fmt::format("No operator holds '{}'{}.\n", wanted, near.empty() ? "" : "; " + near);
  } else {
    answer.text = fmt::format("{} of {} operators of torch {}:\n\n{}", list.size(), all.size(),
                              catalogue->torch, fenced(cutText(std::move(lines), longestAnswer - 1000)));
  }
  answer.structured = {{"operators", std::move(list)}, {"all", all.size()}};
  return answer;
}

ToolAnswer listCases(const McpArguments& arguments, const ToolCall& call) {
  const auto device = servedDevice("auto", call.host);
  if (!device) return failed(device.error());
  const std::string op = arguments.text("op");
  SuiteRequest request{.name = arguments.text("suite"),
                       .dtype = arguments.text("dtype"),
                       .device = *device,
                       .python = call.host.python};
  if (!op.empty()) request.operators = {op};
  const auto suite = loadSuite(
      request, {.onText = [&](const std::string& text) { call.log("info", text); }, .stop = call.stop});
  if (!suite) return failed(suite.error());
  const auto first = std::min(static_cast<std::size_t>(arguments.integer("first")), suite->cases.size());
  const auto most = static_cast<std::size_t>(arguments.integer("most"));
  std::vector<std::string> lines;
  for (const Case& each : suite->cases) lines.push_back(shortName(each.op) + "  " + each.args);
  const LinesPart part = linesPart(lines, first, most, longestAnswer - 2000);
  ToolAnswer answer;
  answer.text = fmt::format("Suite {}: cases {} to {} of {}, each an operator and its arguments.\n\n{}",
                            suite->name, part.shown == 0 ? part.first : part.first + 1,
                            part.first + part.shown, part.lines, fenced(part.text));
  if (part.first + part.shown < part.lines)
    answer.text += fmt::format("\nfirst={} gives the next ones; op takes one operator's cases.\n",
                               part.first + part.shown);
  McpJson list = McpJson::array();
  for (std::size_t at = part.first; at < part.first + part.shown; ++at) {
    const Case& each = suite->cases[at];
    list.push_back({{"op", shortName(each.op)}, {"arguments", cutText(each.args, 400)}});
  }
  answer.structured = {{"cases", std::move(list)}, {"first", part.first}, {"all", part.lines}};
  return answer;
}

Result<NewKernel> makeKernel(const McpArguments& arguments, const ToolCall& call, std::string& op) {
  WB_TRY(const Catalogue catalogue, call.host.catalogue());
  WB_TRY(const OperatorEntry entry, resolveOperator(arguments.text("op"), catalogue.operators));
  op = shortName(entry.name);
  return newKernel(entry.schema, arguments.text("language"));
}

ToolAnswer newKernelAnswer(const McpArguments& arguments, const ToolCall& call) {
  std::string op;
  const auto kernel = makeKernel(arguments, call, op);
  if (!kernel) return failed(kernel.error());
  const std::string language = arguments.text("language");
  const std::string suite = suiteWith(schemaName(op));
  ToolAnswer answer;
  answer.text = fmt::format(
      "{}, {}{}:\n\n{}\nRun it: run_kernel(source=…, op=\"{}\", language=\"{}\", suite=\"{}\").\n",
      kernel->file, kernel->form, kernel->complete ? "" : ", which still has to be written",
      fenced(kernel->text, kernel->file.ends_with(".py") ? "python" : "cpp"), op, language, suite);
  answer.structured = {{"source", kernel->text}, {"op", op},
                       {"language", language},   {"suite", suite},
                       {"form", kernel->form},   {"complete", kernel->complete}};
  return answer;
}

Table deviceTable(const McpHost& host) {
  Table table;
  table.id = "devices";
  table.title = "Devices";
  table.empty = "The service has no device.";
  table.columns = {{.key = "device", .title = "Device"},
                   {.key = "name", .title = "Name"},
                   {.key = "architecture", .title = "Architecture"},
                   {.key = "torch", .title = "torch"},
                   {.key = "state", .title = "State"}};
  for (const DeviceState& each : host.service->devices()) {
    const Target& target = each.worker.target;
    const bool hasFailed = each.worker.state == WorkerStatus::State::failed;
    Table::Row row{.id = each.device};
    for (const std::string& text :
         {each.device, target.deviceName, target.architecture, target.torch,
          hasFailed ? each.worker.failure.text : std::string(each.runs.empty() ? "idle" : "busy")})
      row.cells.push_back(textCell(text));
    table.rows.push_back(std::move(row));
  }
  return table;
}

ToolAnswer machine(const McpArguments& arguments, const ToolCall& call) {
  const McpHost& host = call.host;
  const ServiceCounts counts = host.service->counts();
  ToolAnswer answer;
  answer.text = markdownPart(deviceTable(host), 0, 50, 3).markdown;
  answer.text += fmt::format("\n{} waiting, {} running, {} finished.\n\nLanguages: {}.\nSuites:\n",
                             counts.queued, counts.running, counts.finished, joined(languageIds(), ", "));
  for (const SuiteInfo& suite : suites())
    if (suite.name != "beside") answer.text += fmt::format("- {}: {}\n", suite.name, suite.description);
  McpJson devices = McpJson::array();
  for (const DeviceState& each : host.service->devices())
    devices.push_back({{"device", each.device},
                       {"name", each.worker.target.deviceName},
                       {"architecture", each.worker.target.architecture},
                       {"busy", !each.runs.empty()}});
  answer.structured = {{"devices", std::move(devices)},
                       {"queued", counts.queued},
                       {"running", counts.running},
                       {"languages", languageIds()},
                       {"suites", suiteNames()}};
  if (host.doctor && arguments.flag("doctor").value_or(false)) {
    const auto lines = host.doctor(call.stop);
    answer.text +=
        "\n" + markdownPart(doctorTable(lines), 0, 60, 3).markdown + "\n" + conclusion(lines) + "\n";
  }
  return answer;
}

}  // namespace

McpTool listOperatorsTool() {
  return {
      .name = "list_operators",
      .title = "List operators",
      .description = "Finds operators of PyTorch by a part of their name or schema, with their schemas.",
      .arguments = {{.name = "search",
                     .meaning = "A part of a name or a schema, or several words: 'soft max', 'SymInt[] dim'. "
                                "Left out: everyday operators first."},
                    {.name = "most",
                     .kind = Kind::integer,
                     .meaning = "So many operators at most",
                     .fallback = 20,
                     .least = 1,
                     .most = 100}},
      .output = objectSchema(
          {{"operators", "array", "The operators: op, schema"}, {"all", "integer", "How many there are"}}),
      .run = listOperators};
}

McpTool listCasesTool() {
  return {.name = "list_cases",
          .title = "List cases",
          .description = "Lists the cases of a suite, all or those of one operator, with their arguments.",
          .arguments = {{.name = "suite", .meaning = "The suite", .fallback = "smoke", .words = suiteNames()},
                        {.name = "op", .meaning = "Only the cases of this operator, or of a glob: 'sum*'"},
                        {.name = "dtype",
                         .meaning = "The dtype of suites that are made for one",
                         .fallback = "bfloat16"},
                        {.name = "first",
                         .kind = Kind::integer,
                         .meaning = "The first case to list, from 0",
                         .fallback = 0,
                         .most = 1e9},
                        {.name = "most",
                         .kind = Kind::integer,
                         .meaning = "So many cases at most",
                         .fallback = 30,
                         .least = 1,
                         .most = 200}},
          .output = objectSchema({{"cases", "array", "The cases: op, arguments"},
                                  {"first", "integer", "The number of the first one"},
                                  {"all", "integer", "How many there are"}}),
          .run = listCases};
}

McpTool newKernelTool() {
  return {
      .name = "new_kernel",
      .title = "Begin a kernel",
      .description =
          "Writes a first kernel for an operator, with the right signature and, where the operator is known, "
          "a right answer. Begin with this one and make it faster.",
      .arguments = {{.name = "op", .meaning = "The operator: 'gelu', 'sum.dim_IntList'", .required = true},
                    {.name = "language",
                     .meaning = "The language of the kernel",
                     .fallback = "torch_cpp",
                     .words = languageIds()}},
      .output = objectSchema({{"source", "string", "The kernel's text"},
                              {"op", "string", "The operator"},
                              {"language", "string", "The language"},
                              {"suite", "string", "A suite with cases of the operator"},
                              {"form", "string", "How it computes"},
                              {"complete", "boolean", "It is right as it is"}}),
      .run = newKernelAnswer};
}

McpTool machineTool(const McpHost& host) {
  std::vector<McpArgument> arguments;
  if (host.doctor)
    arguments.push_back({.name = "doctor",
                         .kind = Kind::boolean,
                         .meaning = "Looks also at compilers, driver and torch, which takes seconds",
                         .fallback = false});
  return {.name = "machine",
          .title = "Look at the machine",
          .description =
              "Says which devices run kernels here, what waits for them, and which languages and suites "
              "there are.",
          .arguments = std::move(arguments),
          .output = objectSchema({{"devices", "array", "The devices: device, name, architecture, busy"},
                                  {"queued", "integer", "How many runs wait"},
                                  {"running", "integer", "How many run"},
                                  {"languages", "array", "The ids of languages"},
                                  {"suites", "array", "The names of suites"}}),
          .run = machine};
}

}  // namespace wb
