// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include "core/engine/check/compare/element_errors.h"
#include "core/model/wrong_elements.h"

namespace wb {

/// One output of both sides, of the same shape, dtype and device.
struct OutputPair {
  at::Tensor actual, expected;
  /// The oracle's; undefined without an oracle.
  at::Tensor exact;
};

/// The map of an output's wrong elements, and some of them in full. Throws what torch throws.
[[nodiscard]] WrongElements wrongElementsOf(const OutputPair& pair, const ElementRule& rule,
                                            const BadPlaces& bad);

}  // namespace wb
