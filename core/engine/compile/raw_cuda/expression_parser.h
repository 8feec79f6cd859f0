// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "core/engine/compile/raw_cuda/expression.h"

namespace wb {

/// What a function of the expression language takes; its first argument may be the name of a tensor or a
/// list.
struct ExpressionFunction {
  std::string_view name;
  NameUse::As first = NameUse::As::value;
  std::size_t fewest = 1, most = 1;
};
[[nodiscard]] std::span<const ExpressionFunction> expressionFunctions();
[[nodiscard]] const ExpressionFunction* findExpressionFunction(std::string_view name);

/// The tree of an expression's text. Errors are of stage `compile`.
Result<Expression::Node> parseExpression(std::string_view text, const Place& place);

}  // namespace wb
