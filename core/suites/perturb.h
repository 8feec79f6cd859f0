// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/suites/literals/editable_call.h"

namespace wb {

/// What is known of an operator from its known-good calls; keeps the changed calls sensible.
struct OperatorTraits {
  bool anyRank = false;     ///< takes its first tensor at several ranks: element-wise, or a reduction
  bool broadcasts = false;  ///< takes a size of 1 against another in its first two tensors
  bool inPlace = false;     ///< writes its first tensor, whose elements must not overlap
};
[[nodiscard]] OperatorTraits traitsOf(const std::string& schemaName, const std::vector<EditableCall>& calls);

/// A known-good call, changed.
struct Variant {
  std::string kind;  ///< "odd", "empty", …: the group's name behind "shapes: "
  EditableCall call;
};

/// Odd, empty, size-one, broadcast and large shapes. Sizes change together: what was the same size in any
/// tensor of the call (and in a list of sizes such as native_layer_norm's) is the same again, 1 stays 1. At
/// most 68 MB of elements, 8 MB where the operator is not element-wise. Empty where the call
/// has no tensor with dimensions, is empty itself, or names sizes in a way that cannot be followed.
[[nodiscard]] std::vector<Variant> shapeVariants(const EditableCall& call, const OperatorTraits& traits);

/// Transposed, sliced, padded rows, expanded and channels-last, for all tensors of the call that have the
/// dimensions, and for the first alone. Shapes and types stay.
[[nodiscard]] std::vector<Variant> layoutVariants(const EditableCall& call, const OperatorTraits& traits);

/// The call with all its floating tensors in another type, given by abbreviation; nothing where it mixes
/// them.
[[nodiscard]] bool setFloatingType(EditableCall& call, const std::string& dtype);

/// How many different sizes above 1 its tensors have: the more, the more a changed one can tell.
[[nodiscard]] std::size_t variety(const EditableCall& call);

/// Whether every tensor's contents can be drawn: with integers beside floating tensors, they are indices as a
/// rule.
[[nodiscard]] bool takesAnyValues(const EditableCall& call);

}  // namespace wb
