// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/engine/check/compare/element_errors.h"

namespace wb {

/// Consecutive elements of one output, flat and contiguous, in the outputs' own type.
struct Chunk {
  at::Tensor candidate, expected;
  at::Tensor oracle;  ///< undefined without one
  at::Tensor room;    ///< float64, what each element may be off for its rounding; undefined without
  at::ScalarType dtype;
  std::int64_t first = 0;  ///< number of its first element in the output
};

/// Where the neighbours of a floating type's numbers are.
struct FloatFormat {
  int mantissaBits;  ///< stored ones
  int minExponent;   ///< of the smallest normal number
};
[[nodiscard]] FloatFormat floatFormat(at::ScalarType dtype);

[[nodiscard]] bool isIntegral(at::ScalarType dtype);

/// In the type that errors are computed in: float64, or complex of two.
[[nodiscard]] at::Tensor widened(const at::Tensor& values);

/// Integers under no tolerance are equal or not: float64 could not tell large ones apart.
[[nodiscard]] bool comparesBits(const ElementRule& rule, at::ScalarType dtype);

// The same rule twice. On a CPU one pass of plain code, which no busy neighbour slows down as it does torch's
// thread pool; on a GPU tensor operations, so that only the result is copied, and the places and a sample
// where elements differ. `all` gathers the chunks of an output; its `reference`, the reference's errors
// against the oracle, must be concluded before. `mismatches` and `firstBad` are left to the caller.
void compareOnHost(const Chunk& chunk, const ElementRule& rule, ElementErrors& all);
void compareOnDevice(const Chunk& chunk, const ElementRule& rule, ElementErrors& all);

/// Adds the reference's errors against the oracle in one chunk.
void referenceErrorsOnHost(const Chunk& chunk, const ElementRule& rule, ReferenceErrors& all);
void referenceErrorsOnDevice(const Chunk& chunk, const ElementRule& rule, ReferenceErrors& all);

}  // namespace wb
