// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/model/operators/literal.h"

namespace wb {

/// Parses one value of the grammar in which BackendBench's traces are written. Never evaluates anything. The
/// error's `place.column` is the 1-based byte column in `text`, `place.line` is 0.
Result<Literal> parseLiteral(std::string_view text);

/// Takes a literal `T(shape, dtype[, stride[, device]])` apart, checking ranks, non-negative sizes and a
/// known dtype.
Result<TensorLiteral> tensorLiteral(const Literal& call);

/// Bytes that all tensors in a call's arguments take together (BackendBench's extents: a strided tensor takes
/// its extent). Saturates at INT64_MAX.
[[nodiscard]] std::int64_t tensorBytes(const Literal& args);

/// Bytes of all tensors' elements in a call's arguments (shape times element, whatever the strides).
/// BackendBench orders its inputs by this size. Saturates at INT64_MAX.
[[nodiscard]] std::int64_t elementBytes(const Literal& args);

/// The literal in the trace grammar's canonical spelling.
[[nodiscard]] std::string print(const Literal& literal);

}  // namespace wb
