// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "core/engine/check/compare/check.h"

namespace wb {

/// The type below another, in which a kernel may have computed in its place to be fast.
struct LowerType {
  std::string_view name;  ///< "float32", "TF32 or float16"
  int mantissaBits;       ///< stored ones
};
[[nodiscard]] std::optional<LowerType> lowerType(at::ScalarType dtype);

/// Floating values rounded to so many bits of mantissa, to nearest, in their own type and with its range; all
/// others as they are. Tensors, and tensors in lists.
[[nodiscard]] at::Tensor roundedTo(const at::Tensor& values, int mantissaBits);
[[nodiscard]] c10::IValue roundedTo(const c10::IValue& value, int mantissaBits);

/// Every n-th element of a tensor, so that some thousand remain, on the host.
[[nodiscard]] at::Tensor spread(const at::Tensor& values);

/// What a result of the lower type is off, in units of the tolerance. Of tensors on the host.
struct LowerErrors {
  bool any = false;      ///< it differs at all, in normal numbers
  double typical = 0;    ///< median over elements at which it does
  double overShare = 0;  ///< part of these that is over the tolerance
  double over = 0;       ///< how many these are, in the whole output
  /// So many elements tell such a result from a right one that no other result of the type has the luck to
  /// pass.
  [[nodiscard]] bool rejected() const { return any && overShare >= 0.1 && over >= 7; }
};
/// `lower` and `expected` are spread() out of outputs of so many elements.
[[nodiscard]] LowerErrors lowerErrors(const at::Tensor& lower, const at::Tensor& expected, Bounds bounds,
                                      const LowerType& type, std::int64_t elements);

}  // namespace wb
