// SPDX-License-Identifier: Apache-2.0
#include "core/service/mcp/tools/tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/nearest.h"
#include "core/base/text.h"

namespace wb {

std::vector<McpTool> mcpTools(const McpHost& host) {
  std::vector<McpTool> tools{runKernelTool(host), profileKernelTool(host),  compareSourcesTool(host),
                             compareRunsTool(),   explainFailingCaseTool(), showAssemblyTool(),
                             readRunTool(),       readLastRunsTool(),       cancelRunTool(),
                             newKernelTool(),     listOperatorsTool(),      listCasesTool(),
                             machineTool(host)};
  if (host.evaluation != nullptr)
    for (McpTool& each : evaluationTools()) tools.push_back(std::move(each));
  return tools;
}

ToolAnswer callTool(const std::string& name, const nlohmann::json& arguments, const ToolCall& call) {
  const std::vector<McpTool> tools = mcpTools(call.host);
  const auto tool =
      std::find_if(tools.begin(), tools.end(), [&](const McpTool& each) { return each.name == name; });
  if (tool == tools.end()) {
    std::vector<std::string> names;
    for (const McpTool& each : tools) names.emplace_back(each.name);
    const std::string near = didYouMean(name, names);
    return failed(fmt::format("Unknown tool: {}", name.substr(0, 100)),
                  near.empty() ? "the tools are " + joined(names, ", ") : near);
  }
  if (tool->runRaw) return tool->runRaw(arguments, call);
  const auto read = McpArguments::read(arguments, tool->arguments);
  if (!read) return failed(read.error());
  return tool->run(*read, call);
}

}  // namespace wb
