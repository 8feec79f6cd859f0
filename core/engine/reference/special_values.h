// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "core/engine/reference/tensor_source.h"

namespace wb {

enum class SpecialValues { nan, infinity, denormal, extreme, zero };

/// "nan", "infinity", "denormal", "extreme", "zero".
[[nodiscard]] std::optional<SpecialValues> specialValues(std::string_view name);

/// A source of drawn tensors with special values put in, one in every 16 elements (all of them in the
/// first half, so that not every row has one), the places and the kinds
/// (either sign; of `extreme` the largest, the smallest normal; of `denormal` the smallest, the largest) from
/// the seed. A floating or complex tensor that is not empty always shows one. Integers get their extremes
/// (not the lowest itself: its quotient by −1 traps) unless the argument's name says that they are indices,
/// sizes or labels, and nothing of the other kinds; booleans stay.
[[nodiscard]] TensorSource specialTensors(SpecialValues kind);

}  // namespace wb
