// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "core/engine/check/compare/check.h"

namespace wb {

/// The type below another, in which a kernel may have computed in its place to be fast.
struct LowerType {
  /// The name: "float32", "TF32 or float16".
  std::string_view name;
  /// The bits of mantissa that are stored.
  int mantissaBits;
};
[[nodiscard]] std::optional<LowerType> lowerType(at::ScalarType dtype);

/// Floating values rounded to nearest with so many bits of mantissa, in their own type and with its range;
/// all others stay as they are. Takes tensors, and tensors in lists.
[[nodiscard]] at::Tensor roundedTo(const at::Tensor& values, int mantissaBits);
[[nodiscard]] c10::IValue roundedTo(const c10::IValue& value, int mantissaBits);

/// Every n-th element of a tensor on the host, so that a few thousand remain.
[[nodiscard]] at::Tensor spread(const at::Tensor& values);

/// How far a result of the lower type is off, in units of the tolerance. It is computed from tensors on the
/// host.
struct LowerErrors {
  /// It differs at all, in normal numbers.
  bool any = false;
  /// The median over the elements at which it differs.
  double typical = 0;
  /// The share of these that is over the tolerance.
  double overShare = 0;
  /// How many of these the whole output has.
  double over = 0;
  /// Whether so many elements tell such a result from a right one that no other result of the type passes by
  /// luck.
  [[nodiscard]] bool rejected() const { return any && overShare >= 0.1 && over >= 7; }
};
/// `lower` and `expected` come from spread() of outputs with so many elements.
[[nodiscard]] LowerErrors lowerErrors(const at::Tensor& lower, const at::Tensor& expected, Bounds bounds,
                                      const LowerType& type, std::int64_t elements);

}  // namespace wb
