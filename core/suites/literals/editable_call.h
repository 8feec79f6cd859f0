// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/operators/literal.h"

namespace wb {

/// A call's arguments taken apart, so that its tensors can be given other shapes, strides and types.
struct EditableCall {
  Literal literal;                                      ///< as parsed; `text` puts what follows in its places
  std::vector<TensorLiteral> tensors;                   ///< in the text's order
  std::vector<std::vector<std::int64_t>> integerLists;  ///< lists and tuples of integers, at least one each
  std::vector<std::int64_t> integers;                   ///< other integers; for looking at
};

/// Errors as of parseLiteral and tensorLiteral.
Result<EditableCall> editCall(std::string_view args);

/// The call in the trace grammar's canonical spelling.
[[nodiscard]] std::string text(const EditableCall& call);

/// Strides, in elements, of a contiguous tensor.
[[nodiscard]] std::vector<std::int64_t> contiguousStrides(const std::vector<std::int64_t>& shape);

}  // namespace wb
