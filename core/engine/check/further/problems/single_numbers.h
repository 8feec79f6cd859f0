// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/engine/call.h"

namespace wb {

/// Single numbers of one argument, or of one tensor in it where it is a list: of all that differ in nothing
/// but their places along these dimensions, one. Of a matrix these are one in each row, one in each column,
/// or one of all.
struct SingleNumbers {
  std::size_t argument = 0;
  /// Which tensor of a list; 0 where the argument is a tensor.
  std::size_t item = 0;
  std::vector<std::int64_t> along{};
  /// Chosen by this number; the first and the last along a dimension are so more often than others, since it
  /// is there that loops end too soon.
  std::uint64_t seed = 0;
};

/// The ways to choose numbers that are worth asking for, those along one dimension first, since they are many
/// numbers of which each may be left out, and else in an order that comes of the seed. Nothing of an
/// argument whose values may depend on each other (mayBeOthers). Where few numbers are chosen there are
/// several choices of one kind.
[[nodiscard]] std::vector<SingleNumbers> choicesOf(const Stack& arguments, std::uint64_t seed);

/// The tensor of which numbers were chosen.
[[nodiscard]] at::Tensor tensorOf(const Stack& arguments, const SingleNumbers& numbers);

/// The arguments, of which these numbers are a power of two times as large. Zeros stay such. Nothing where
/// the type has no room for them.
[[nodiscard]] std::optional<Stack> withLarger(const Stack& arguments, const SingleNumbers& numbers,
                                              int octaves);

/// What the same side answers before and after its arguments are changed.
struct BeforeAndAfter {
  const Stack& before;
  const Stack& after;
};

/// What else both sides say of the changed arguments; asked for where it matters. Nothing: they cannot say.
struct AskedAgain {
  /// The reference, of others in their last bits, which come of the number: in so many that the rounding of
  /// products in TF32 or bfloat16 is another one, too.
  std::function<std::optional<Stack>(std::uint64_t seed)> withOtherBits;
  /// The kernel, of others like these.
  std::function<std::optional<Stack>(std::uint64_t seed)> kernelWithOtherBits;
  /// The reference, in float64.
  std::function<std::optional<Stack>()> inFloat64;
  /// The change is so small that the type loses nothing of the other numbers beside the larger ones.
  bool losesNothing = false;
};

/// Whether the kernel takes no notice of the change somewhere where the reference's answer becomes another
/// one by more than half of its size and of the typical one: the kernel's moves by less than a hundredth of
/// that, whatever the last bits are. Whoever rounds otherwise, or overflows, moves by more. Here and there
/// noise has the old value by chance: of all that the kernel is wrong about, some part is to be unnoticed.
///
/// Nobody is held to the reference's own rounding. Where its answer moves with the last bits, or where it is
/// another one in float64, that is what it is. Where that cannot be asked, a large number may have swallowed
/// the others, which takes away no more than there was: there the answer has to become several times as
/// large.
[[nodiscard]] bool takesNoNotice(const BeforeAndAfter& kernel, const BeforeAndAfter& reference,
                                 const AskedAgain& again);

}  // namespace wb
