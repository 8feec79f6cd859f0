// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>

#include "core/service/mcp/rpc.h"
#include "core/service/mcp/tools/tool.h"

namespace wb {

/// Values that an argument of a prompt or of a resource's address may have: runs, figures, operators,
/// languages. An argument of which nothing is known has none.
[[nodiscard]] std::variant<McpJson, RpcError> complete(const McpHost& host, const std::string& client,
                                                       const nlohmann::json& params);

}  // namespace wb
