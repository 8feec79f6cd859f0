// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace wb {

/// OpenAPI's operation object of one of the evaluation server's paths.
[[nodiscard]] nlohmann::json evaluationOperation(std::string_view path);
/// The schemas to which the operations refer.
[[nodiscard]] nlohmann::json evaluationSchemas();

}  // namespace wb
