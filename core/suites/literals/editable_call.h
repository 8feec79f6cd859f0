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
  /// The literal as it was parsed; text() replaces the parts below in it.
  Literal literal;
  /// The tensors in the text's order.
  std::vector<TensorLiteral> tensors;
  /// Lists and tuples of integers that are not empty.
  std::vector<std::vector<std::int64_t>> integerLists;
  /// Other integers; they are only looked at.
  std::vector<std::int64_t> integers;
};

/// Errors: those of parseLiteral and tensorLiteral.
Result<EditableCall> editCall(std::string_view args);

/// The call in the trace grammar's canonical spelling.
[[nodiscard]] std::string text(const EditableCall& call);

/// The strides of a contiguous tensor in elements.
[[nodiscard]] std::vector<std::int64_t> contiguousStrides(const std::vector<std::int64_t>& shape);

}  // namespace wb
