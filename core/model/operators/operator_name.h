// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace wb {

// Names of operators come in many spellings: "relu", "aten.relu.default", "aten::relu",
// "aten::sum.dim_IntList", "sum__dim_IntList" (BackendBench's folder). The model uses the schema's:
// namespace::name[.overload], no ".default".

/// The schema name of any spelling: "aten.relu.default" → "aten::relu", "sum.dim_IntList" →
/// "aten::sum.dim_IntList", "sum__dim_IntList" → "aten::sum.dim_IntList", "add___Tensor" →
/// "aten::add_.Tensor". Does not ask whether the operator exists.
[[nodiscard]] std::string schemaName(std::string_view spelling);

/// The name for people and BackendBench's files: "aten::relu" → "relu.default", "aten::sum.dim_IntList" →
/// "sum.dim_IntList".
[[nodiscard]] std::string shortName(std::string_view schemaName);

/// The function's name that users write: "aten::sum.dim_IntList" → "sum".
[[nodiscard]] std::string baseName(std::string_view schemaName);

/// Whether `filter` (a name in any spelling, with or without overload, or a glob with * and ?) takes
/// `schemaName`.
[[nodiscard]] bool matches(std::string_view filter, std::string_view schemaName);

}  // namespace wb
