// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/case.h"

namespace wb {

/// Reads a data file in the operator-log format ("Operator: aten.relu.default" / "cnt: 1, ((T([5, 5], f32),),
/// {})"). Lines that are neither, and '#' comments, are ignored, as BackendBench ignores them. A `cnt:` line
/// that cannot be parsed, or one before any operator, is an error with file, line and column. Each case's
/// seed derives from its operator and text, so it stays when lines move.
Result<std::vector<Case>> parseTrace(std::string_view text, const std::string& file);

/// Makes one case, with shapes, dtype and seed, from an operator's name in any spelling ("aten.sum.SymInt" is
/// sum.dim_IntList, as in BackendBench) and its arguments. The error's `place.column` is the 1-based byte
/// column in `args`.
Result<Case> makeCase(std::string_view op, std::int64_t count, std::string_view args);

/// Fills a case's `shapes` and `dtype` from its parsed arguments.
void describeArguments(Case& definition, const struct Literal& args);

}  // namespace wb
