// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/engine/check/compare/element_errors.h"

namespace wb {

/// Consecutive elements of one output, flat and contiguous, in the outputs' own type.
struct Chunk {
  at::Tensor candidate, expected;
  /// The oracle's elements; undefined without an oracle.
  at::Tensor oracle;
  /// How far each element may be off for its rounding, in float64; undefined where there is no room.
  at::Tensor room;
  at::ScalarType dtype;
  /// The number of its first element in the output.
  std::int64_t first = 0;
};

/// Tells how far apart the numbers of a floating type are.
struct FloatFormat {
  /// The bits that are stored.
  int mantissaBits;
  /// The exponent of the smallest normal number.
  int minExponent;
};
[[nodiscard]] FloatFormat floatFormat(at::ScalarType dtype);

[[nodiscard]] bool isIntegral(at::ScalarType dtype);

/// The values in the type in which errors are computed: float64, or complex of two.
[[nodiscard]] at::Tensor widened(const at::Tensor& values);

/// Whether elements must be equal: integers without a tolerance, since float64 could not tell large ones
/// apart.
[[nodiscard]] bool comparesBits(const ElementRule& rule, at::ScalarType dtype);

// These two apply the same rule. On a CPU one pass of plain code is not slowed down by other programs as
// torch's thread pool is. On a GPU tensor operations do it, so that only the result is copied, and places and
// a sample where elements differ. `all` gathers the chunks of an output; its `reference`, the reference's
// errors against the oracle, must be concluded before. `mismatches` and `firstBad` are left to the caller.
void compareOnHost(const Chunk& chunk, const ElementRule& rule, ElementErrors& all);
void compareOnDevice(const Chunk& chunk, const ElementRule& rule, ElementErrors& all);

/// Adds the reference's errors against the oracle in one chunk.
void referenceErrorsOnHost(const Chunk& chunk, const ElementRule& rule, ReferenceErrors& all);
void referenceErrorsOnDevice(const Chunk& chunk, const ElementRule& rule, ReferenceErrors& all);

}  // namespace wb
