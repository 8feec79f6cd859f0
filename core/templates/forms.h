// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/templates/schema.h"

namespace wb {

/// An operator that is computed from the elements at one place. In the expressions x, or a and b, are the
/// elements, `s` is alpha, `T(1)` a number of the type in which is computed, and `F:exp` a function of the
/// mathematical library.
struct Elementwise {
  std::string_view name;
  int inputs = 1;
  /// For C++ and CUDA.
  std::string_view expression;
  /// For Triton; "" where it has no such function.
  std::string_view triton;
};
/// An operator that makes one number of many.
struct Reduction {
  std::string_view name;
  /// The overload with dimensions; the one without is "".
  std::string_view overload;
  /// What it starts with, and how the next x is taken in: C++ and CUDA.
  std::string_view start, combine, finish;
  /// The same for Triton, with vectors `total` and `value`.
  std::string_view tritonStart, tritonCombine, tritonFinish;
};
/// softmax or its logarithm, over one dimension.
struct Softmax {
  std::string_view name, overload;
  bool isLogarithm = false;
};

[[nodiscard]] const Elementwise* findElementwise(const Schema& schema);
[[nodiscard]] const Reduction* findReduction(const Schema& schema);
[[nodiscard]] const Softmax* findSoftmax(const Schema& schema);
[[nodiscard]] bool isMatmul(const Schema& schema);
[[nodiscard]] bool isLayerNorm(const Schema& schema);

}  // namespace wb
