// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace wb {

// Names of operators come in many spellings: "relu", "aten.relu.default", "aten::relu",
// "aten::sum.dim_IntList", "sum__dim_IntList" (BackendBench's folder). The model uses the schema's:
// namespace::name[.overload], no ".default".

/// Schema name of any spelling: "aten.relu.default" → "aten::relu", "sum.dim_IntList" →
/// "aten::sum.dim_IntList", "sum__dim_IntList" → "aten::sum.dim_IntList", "add___Tensor" →
/// "aten::add_.Tensor". Does not ask whether it exists.
[[nodiscard]] std::string schemaName(std::string_view spelling);

/// For people and BackendBench's files: "aten::relu" → "relu.default", "aten::sum.dim_IntList" →
/// "sum.dim_IntList".
[[nodiscard]] std::string shortName(std::string_view schemaName);

/// "aten::sum.dim_IntList" → "sum": the function name that users write.
[[nodiscard]] std::string baseName(std::string_view schemaName);

/// True when `filter` (a name in any spelling, with or without overload, or a glob with * and ?) takes
/// `schemaName`.
[[nodiscard]] bool matches(std::string_view filter, std::string_view schemaName);

}  // namespace wb
