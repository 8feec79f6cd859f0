// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/engine/check/check.h"

namespace wb {

/// Which elements of one output count as right.
struct ElementRule {
  Bounds bounds;
  bool relativeToCandidate = false;  ///< rtol·|c| in place of rtol·|e|
  bool tolerance = true;             ///< elements within bounds pass
  bool oracle = false;               ///< elements close enough to the oracle pass
};

struct ElementErrors {
  double maxAbs = 0, maxRel = 0, maxUlp = 0;  ///< over elements that are finite on both sides
  std::int64_t mismatches = 0;
  std::int64_t elements = 0;
  std::int64_t firstBad = -1;  ///< in row-major order
};

/// Compares two tensors of the same shape, dtype and device element by element, in chunks, on their device.
/// `oracle` is used when the rule asks for it. Throws what torch throws.
[[nodiscard]] ElementErrors elementErrors(const at::Tensor& candidate, const at::Tensor& expected,
                                          const at::Tensor& oracle, const ElementRule& rule);

/// Same bits in both: contiguous tensors of the same shape, dtype and device.
[[nodiscard]] bool sameBits(const at::Tensor& a, const at::Tensor& b);

}  // namespace wb
