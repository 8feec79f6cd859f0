// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "core/service/mcp/rpc.h"

namespace wb {

[[nodiscard]] McpJson listPrompts();
/// A prompt with its arguments put in. Errors: no such prompt, an argument is missing.
[[nodiscard]] std::variant<McpJson, RpcError> getPrompt(const nlohmann::json& params);

}  // namespace wb
