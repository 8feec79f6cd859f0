// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "core/engine/reference/tensor_source.h"

namespace wb {

enum class SpecialValues { nan, infinity, denormal, extreme, zero };

/// "nan", "infinity", "denormal", "extreme", "zero".
[[nodiscard]] std::optional<SpecialValues> specialValues(std::string_view name);

/// A source of drawn tensors with special values put in, as one in 16 elements. All of these are in the first
/// half, so that some rows have none. The seed gives their places and kinds: either sign; of `extreme` the
/// largest or the smallest normal number; of `denormal` the smallest or the largest. A floating or complex
/// tensor that is not empty always has one. Integers get their extremes (except the lowest: its quotient by
/// −1 traps) unless the argument's name says that they are indices, sizes or labels, and nothing of the other
/// kinds; booleans stay as they are.
[[nodiscard]] TensorSource specialTensors(SpecialValues kind);

/// Whether an integer argument of that name points somewhere or says how many, so that neither an extreme
/// nor another sign is a value for it.
[[nodiscard]] bool isIndexArgument(std::string_view argument);

}  // namespace wb
