// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/suites/literals/editable_call.h"

namespace wb {

/// What the known-good calls tell of an operator. It keeps the changed calls sensible.
struct OperatorTraits {
  /// The operator takes its first tensor at several ranks, so it is element-wise or a reduction.
  bool anyRank = false;
  /// The operator takes a size of 1 against another one in its first two tensors.
  bool broadcasts = false;
  /// The operator writes its first tensor, whose elements must not overlap.
  bool inPlace = false;
};
[[nodiscard]] OperatorTraits traitsOf(const std::string& schemaName, const std::vector<EditableCall>& calls);

/// A known-good call, changed.
struct Variant {
  /// The kind of the change, "odd", "empty" and so on: the group's name after "shapes: ".
  std::string kind;
  EditableCall call;
};

/// The call with odd, empty, size-one, broadcast and large shapes. Sizes change together: sizes that were
/// equal in any tensors of the call (and in a list of sizes such as native_layer_norm's) stay equal, and 1
/// stays 1. Tensors take at most 68 MB, or 8 MB where the operator is not element-wise. Empty where the call
/// has no tensor with dimensions, is empty itself, or names sizes in a way that cannot be followed.
[[nodiscard]] std::vector<Variant> shapeVariants(const EditableCall& call, const OperatorTraits& traits);

/// The same call at sizes that grow by two from about four kilobytes of tensors to far beyond any cache (256
/// MiB, or 32 MiB where the operator is not element-wise). Each step doubles one of the call's sizes, the
/// last one first. Empty where sizes cannot be changed, as for shapeVariants.
[[nodiscard]] std::vector<Variant> sweepVariants(const EditableCall& call, const OperatorTraits& traits);

/// Calls whose sizes are near those of this one, drawn from the seed: all sizes one to three larger or
/// smaller, all of them the other way round, the first size alone, and the last dimension of size 1; and
/// twice all sizes up to eight times smaller, which lies far from those of a suite. As above, sizes that were
/// equal stay equal. Empty where the sizes cannot be changed so.
[[nodiscard]] std::vector<EditableCall> neighbours(const EditableCall& call, std::uint64_t seed);

/// The call with sizes of which the large ones are halved until its tensors take no more than so many bytes;
/// nullopt where sizes follow from others in a way that only the operator knows, or cannot shrink so far.
[[nodiscard]] std::optional<EditableCall> shrunk(const EditableCall& call, std::int64_t mostBytes);

/// The call with tensors without dimensions. Nothing where its tensors do not all have the same shape.
[[nodiscard]] std::optional<EditableCall> withoutDimensions(const EditableCall& call);

/// The call with transposed, sliced, padded, expanded and channels-last tensors: all tensors of the call that
/// have the dimensions, and the first alone. Shapes and types stay.
[[nodiscard]] std::vector<Variant> layoutVariants(const EditableCall& call, const OperatorTraits& traits);

/// Gives all floating tensors of the call another type, named by its abbreviation; false where the call mixes
/// floating types.
[[nodiscard]] bool setFloatingType(EditableCall& call, const std::string& dtype);

/// How many different sizes above 1 its tensors have: the more there are, the more a changed size can tell.
[[nodiscard]] std::size_t variety(const EditableCall& call);

/// Whether every tensor's contents can be drawn. Integers beside floating tensors are indices as a rule.
[[nodiscard]] bool takesAnyValues(const EditableCall& call);

}  // namespace wb
