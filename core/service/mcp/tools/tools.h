// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/service/mcp/tools/tool.h"

namespace wb {

// The tools, each declared beside the list in tools.cpp.

[[nodiscard]] McpTool runKernelTool(const McpHost& host);
[[nodiscard]] McpTool profileKernelTool(const McpHost& host);
[[nodiscard]] McpTool compareSourcesTool(const McpHost& host);
[[nodiscard]] McpTool compareRunsTool();
[[nodiscard]] McpTool readRunTool();
[[nodiscard]] McpTool readLastRunsTool();
[[nodiscard]] McpTool cancelRunTool();
[[nodiscard]] McpTool explainFailingCaseTool();
[[nodiscard]] McpTool showAssemblyTool();
[[nodiscard]] McpTool listOperatorsTool();
[[nodiscard]] McpTool listCasesTool();
[[nodiscard]] McpTool newKernelTool();
[[nodiscard]] McpTool machineTool(const McpHost& host);
/// Those of the evaluation server, over McpHost::evaluation.
[[nodiscard]] std::vector<McpTool> evaluationTools();

}  // namespace wb
