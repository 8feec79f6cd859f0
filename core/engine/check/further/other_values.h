// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/call.h"
#include "core/engine/reference/tensor_source.h"

namespace wb {

/// Kinds of values that are not those of a suite: sizes spread over many powers of two, sizes whose squares
/// overflow, small ones, a mixture with zeros, ones, whole numbers and an offset, multiples of one half, of
/// which many are equal, infinities among the usual ones, one or a few that outweigh all others, and such as
/// are all negative, or none; of whole numbers, some that take more bits than those of a suite.
enum class OtherValues {
  large,
  huge,
  small,
  mixed,
  halves,
  infinite,
  outlier,
  outliers,
  allNegative,
  noneNegative,
  wide
};

/// A source of floating tensors, or for `wide` of whole numbers, with such values; other tensors are drawn as
/// ever. `octaves` says how far the
/// large ones reach, how small the small ones are. What a short type has no room for is left out.
[[nodiscard]] TensorSource otherValues(OtherValues kind, int octaves);
/// The nearest multiples of one half, and one half where that is zero: to divide by them stays possible.
[[nodiscard]] at::Tensor nearestHalves(const at::Tensor& values);

/// The median of the sizes of numbers, of a million of them evenly spread where there are more; not a number
/// where one of them is none, or there are none.
[[nodiscard]] double typicalSize(const at::Tensor& values);

/// "up to 4096 times as large", "about 8 times as small", "zeros, ones, whole numbers and an offset among
/// them".
[[nodiscard]] std::string wordsOf(OtherValues kind, int octaves);

/// The values that are worth asking an operator for, in this order, and how far each reach: the first for
/// which the reference is finite counts. What is huge is asked of operators alone that look at each element
/// for itself, since a sum of squares may honestly overflow where ATen's does not; what is too small to be
/// added to one of those that are there for just that; outliers of those that look at several elements at
/// once, since a part of them may stand for all where they are alike; wide whole numbers of those that any of
/// them may be given to.
struct ValueQuestion {
  OtherValues kind;
  std::vector<int> reaches;
};
[[nodiscard]] std::vector<ValueQuestion> otherValuesFor(std::string_view op, bool isPointwise);

/// Whether torch promises which whole numbers or truths an operator answers where some values are equal, as
/// argmax is the first of the largest.
[[nodiscard]] bool promisesAmongEquals(std::string_view op);

/// Whether every floating number in it is finite.
[[nodiscard]] bool allFinite(const Stack& results);

/// Whether an answer is so far off that no rounding explains it, for values for which no tolerance was made:
/// by a twentieth in a hundredth of the elements; for small values, whose absolute tolerance would take
/// anything, by half in a quarter of them. Of infinities it is one where a finite number takes the place of
/// an infinite one: many honest kernels make no number of them where ATen makes one, and many take what is no
/// number for zero. Whole numbers and truths count with `exactly` alone, and where wide ones were given,
/// since they may follow from the last bit of what was compared.
[[nodiscard]] bool isFarOff(const Stack& actual, const Stack& expected, OtherValues kind,
                            bool exactly = false);

/// Which tensors of the results are far off, by their places; all where there are others.
[[nodiscard]] std::vector<std::size_t> farOffResults(const Stack& actual, const Stack& expected,
                                                     OtherValues kind);

/// Of each tensor of the results the elements in whose places `expected` is finite; as it is where the two
/// have not the same sizes.
[[nodiscard]] Stack whereFinite(const Stack& results, const Stack& expected);

/// The share of the elements that are finite in the tensor that has the fewest such.
[[nodiscard]] double finiteShare(const Stack& results);

/// The tensors of the results, with zeros in the places where `usual`, an answer to usual values, has what is
/// no finite number, as where a mask hides something.
[[nodiscard]] Stack withoutInfinite(const Stack& results, const Stack& usual);

}  // namespace wb
