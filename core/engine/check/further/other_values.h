// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/engine/call.h"
#include "core/engine/reference/tensor_source.h"

namespace wb {

/// Kinds of values that are not those of a suite: sizes spread over many powers of two, small ones, a mixture
/// with zeros, ones, whole numbers and an offset, and infinities among the usual ones.
enum class OtherValues { large, small, mixed, infinite };

/// A source of floating tensors with such values; other tensors are drawn as ever. `octaves` says how far the
/// large ones reach, how small the small ones are.
[[nodiscard]] TensorSource otherValues(OtherValues kind, int octaves);

/// "up to 4096 times as large", "about 8 times as small", "zeros, ones, whole numbers and an offset among
/// them".
[[nodiscard]] std::string wordsOf(OtherValues kind, int octaves);

/// Whether every floating number in it is finite.
[[nodiscard]] bool allFinite(const Stack& results);

/// Whether an answer is so far off that no rounding explains it, for values for which no tolerance was made:
/// by a twentieth in a hundredth of the elements; for small values, whose absolute tolerance would take
/// anything, by half in a quarter of them. Of infinities it is one where a finite number takes the place of
/// an infinite one: many honest kernels make no number of them where ATen makes one, and many take what is no
/// number for zero.
[[nodiscard]] bool isFarOff(const Stack& actual, const Stack& expected, OtherValues kind);

}  // namespace wb
