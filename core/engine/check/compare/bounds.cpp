// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/compare/check.h"

namespace wb {
namespace {

Bounds torchBounds(at::ScalarType dtype) {
  switch (dtype) {
    case at::kHalf:
    case at::kComplexHalf:
      return {1e-3, 1e-5};
    case at::kBFloat16:
      return {1.6e-2, 1e-5};
    case at::kFloat:
    case at::kComplexFloat:
      return {1.3e-6, 1e-5};
    case at::kDouble:
    case at::kComplexDouble:
      return {1e-7, 1e-7};
    case at::kFloat8_e4m3fn:
    case at::kFloat8_e4m3fnuz:
      return {0.125, 1e-5};
    case at::kFloat8_e5m2:
    case at::kFloat8_e5m2fnuz:
      return {0.25, 1e-5};
    default:
      return {0, 0};
  }
}

}  // namespace

Bounds bounds(const Tolerance& tolerance, at::ScalarType dtype) {
  if (tolerance.preset == "backendbench") return {1e-2, 1e-2};
  if (tolerance.preset == "given") return {tolerance.rtol, tolerance.atol};
  return torchBounds(dtype);
}

}  // namespace wb
