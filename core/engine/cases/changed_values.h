// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace wb {

class DeviceValues;

/// What may happen to the values of a tensor so that they are others of the same kind: the same range, valid
/// as indices if they are such, as normal or as special as before.
struct ValueChange {
  enum class Way {
    /// Nothing: nobody knows what would be safe.
    keep,
    /// Values come from other places of the same tensor, and bits of each may change.
    move,
    /// Rows of numbers that belong together come from other places of the same tensor, each as it is.
    moveTogether,
    /// All are multiplied by one number below 1, which keeps signs, order, symmetry and zeros.
    scale,
    /// Nothing, but they are those of one draw or of another.
    redraw
  };
  Way way = Way::keep;
  /// Bits of a number that may be flipped, or cleared.
  std::uint64_t flipped = 0, cleared = 0;
  /// Whether numbers may be negated; the tensor has signed integers.
  bool negated = false;
  /// Bits of a single number that may be others; with them an integer of one digit stays from -16 to 15.
  std::uint64_t single = 0;
  /// How many numbers that lie side by side move together, of Way::moveTogether.
  std::int64_t together = 0;
  bool operator==(const ValueChange&) const = default;
};

/// Where values come from, as far as it matters for changing them.
enum class ValueOrigin {
  /// They are normally distributed, integers are from -9 to 9.
  normal,
  /// They are drawn from 0 to 1, integers as above.
  uniform,
  /// They are drawn, with special values among them.
  special,
  /// They are somebody's own, and the operator looks at each for itself.
  pointwise,
  /// They are somebody's own, and look as if each was drawn for itself.
  drawn,
  /// They are somebody's own, and look as if rows of them were drawn, whose numbers belong together.
  drawnTogether,
  /// They are somebody's own, and may depend on each other.
  own
};

/// Where somebody's own values come from, by how they look.
[[nodiscard]] ValueOrigin originOfOwn(const at::Tensor& tensor);

/// What may happen to the values of an argument of that name.
[[nodiscard]] ValueChange changeOf(const at::Tensor& tensor, std::string_view argument, ValueOrigin origin);

/// All memory of a strided tensor in the order in which it lies, real and imaginary parts side by side.
[[nodiscard]] at::Tensor flatMemory(const at::Tensor& tensor);

/// A change of a tensor of so many elements, worked out from a seed. Element i comes from block (start + step
/// · (i / width)) mod blocks, where there is such a block, and is (value & kept[j] ^ flipped[j]) + added[j]
/// with j = (i + phase) mod valuesAligned.
inline constexpr std::int64_t valuesAligned = 64;
struct WorkedOutChange {
  std::int64_t width = 1, blocks = 0, start = 0, step = 0, phase = 0;
  std::array<std::uint64_t, valuesAligned> kept{}, flipped{}, added{};
};
/// `bytes` are those of an element.
[[nodiscard]] WorkedOutChange workedOut(const ValueChange& change, std::uint64_t seed, std::int64_t elements,
                                        std::int64_t bytes);

/// Bits of a number of 16 bits that is far out which may be flipped, its sign and two of its exponent: it
/// stays between 2 and 32, and each is so different that a sum of many shows it. None of other types.
[[nodiscard]] std::uint64_t bitsFarOut(at::ScalarType type);

/// Ranges that are written begin at multiples of so many elements.
[[nodiscard]] constexpr std::int64_t alignmentOf(const ValueChange& change) {
  return change.way == ValueChange::Way::moveTogether ? change.together : valuesAligned;
}

/// Writes the elements from `from` to `to` of `into`, changed from those of `base`, which is as long (both
/// are of flatMemory()). What comes out depends on base, change, seed and the range alone. `from` is a
/// multiple of alignmentOf(change); the others of `into` stay as they are, and with Way::scale and
/// Way::redraw the range has to be all. It takes about as long as copying. On a GPU `device` writes, and
/// nothing is written without it.
void writeChanged(const at::Tensor& into, const at::Tensor& base, const ValueChange& change,
                  std::uint64_t seed, std::int64_t from, std::int64_t to,
                  const DeviceValues* device = nullptr);
/// Gives a number of a floating-point type the size of one from 8 to 16, which normally distributed ones do
/// not have, so that it is the largest or the smallest of them. Leaves a number of another type as it is.
void putFarOut(std::byte* number, at::ScalarType type, bool isNegative);
/// A seed of which the first half, from `table`, says which bits change and the second, from `place`, where
/// values come from. Seeds with the same first half one after the other save the time to make the table.
[[nodiscard]] std::uint64_t joinedSeed(std::uint64_t table, std::uint64_t place);

}  // namespace wb
