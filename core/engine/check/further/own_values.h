// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/engine/call.h"

namespace wb {

/// Whether somebody's own numbers may be others: they look as if each was drawn for itself, and no row has to
/// have the sum or the length that it has.
[[nodiscard]] bool mayBeOthers(const at::Tensor& tensor);

/// The arguments, of which each floating number is another one in its last bits. Where an operator makes
/// something else of these, its answer is rounding and nobody can be held to it.
[[nodiscard]] Stack withOtherLastBits(const Stack& arguments, std::uint64_t seed);

/// The same for half of their bits, of which a GPU's products in TF32 take no notice.
[[nodiscard]] Stack withOtherLastHalves(const Stack& arguments, std::uint64_t seed);

/// What is made of somebody's own values: random signs where none is negative (of complex numbers, other
/// directions), all negative or none where there are both, all larger or all smaller by a power of two, the
/// nearest multiples of one half but zero, with one and the same row added to all, a power of two times as
/// large, or no number (NaN) here and there.
enum class OwnValues { negative, allNegative, noneNegative, large, small, halves, steady, none };

/// The arguments with such values where they look as if each was drawn for itself. Nothing where that changes
/// none of them.
[[nodiscard]] std::optional<Stack> changedOwn(const Stack& arguments, OwnValues values, int octaves,
                                              std::uint64_t seed);

/// The arguments with every number that has a fraction made up to four times as small, each by a part of its
/// own: signs, zeros and ranges stay, and nothing is sorted, symmetric or normalised any more, or goes with
/// another argument. A tensor of one number stays. Nothing where there is none other.
[[nodiscard]] std::optional<Stack> withLessInCommon(const Stack& arguments, std::uint64_t seed);

/// The arguments with twice as many rows, those of the first dimension: of all tensors that have as many as
/// the first tensor. Nothing where there are none, or one takes more than 64 MiB.
[[nodiscard]] std::optional<Stack> withMoreRows(const Stack& arguments);

/// The arguments, of which a tensor of truths, or one whose numbers are all the same, as of a mask that
/// leaves nothing out, has others in a quarter of its places: a truth its opposite, zero for one, one for
/// zero, and one half for the rest, so that lengths stay such. Nothing where the argument is no such tensor.
[[nodiscard]] std::optional<Stack> withOthersAmongEqual(const Stack& arguments, std::size_t argument,
                                                        std::uint64_t seed);

/// Whole numbers that follow each other, as positions do, and such as often stay the same and else rise by
/// one, as the numbers of segments do.
enum class Ordered { positions, segments };
/// The arguments, of which a tensor of such numbers has them in another order. Nothing where the argument is
/// no such tensor.
[[nodiscard]] std::optional<Stack> withOtherOrder(const Stack& arguments, std::size_t argument,
                                                  std::uint64_t seed, Ordered ordered = Ordered::positions);

/// "negative numbers among them", "256 times as large".
[[nodiscard]] std::string wordsOf(OwnValues values, int octaves);

}  // namespace wb
