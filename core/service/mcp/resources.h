// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>

#include "core/service/mcp/rpc.h"
#include "core/service/mcp/tools/tool.h"

namespace wb {

/// The reports of the client's newest runs, and the help pages.
[[nodiscard]] McpJson listResources(const McpHost& host, const std::string& client);
/// A run's report in every format, and each of its figures.
[[nodiscard]] McpJson listResourceTemplates();
/// The content of a resource. Errors: no such resource, or another client's.
[[nodiscard]] std::variant<McpJson, RpcError> readResource(const McpHost& host, const std::string& client,
                                                           const std::string& uri);

}  // namespace wb
