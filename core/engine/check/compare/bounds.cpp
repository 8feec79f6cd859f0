// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/compare/check.h"

namespace wb {
namespace {

Bounds torchBounds(at::ScalarType dtype) {
  switch (dtype) {
    case at::kHalf:
    case at::kComplexHalf:
      return float16Bounds;
    case at::kBFloat16:
      return bfloat16Bounds;
    case at::kFloat:
    case at::kComplexFloat:
      return float32Bounds;
    case at::kDouble:
    case at::kComplexDouble:
      return float64Bounds;
    case at::kFloat8_e4m3fn:
    case at::kFloat8_e4m3fnuz:
      return float8e4m3Bounds;
    case at::kFloat8_e5m2:
    case at::kFloat8_e5m2fnuz:
      return float8e5m2Bounds;
    default:
      return exactBounds;
  }
}

}  // namespace

Bounds bounds(const Tolerance& tolerance, at::ScalarType dtype) {
  if (tolerance.preset == "backendbench") return backendBenchBounds;
  if (tolerance.preset == "given") return {tolerance.rtol, tolerance.atol};
  return torchBounds(dtype);
}

}  // namespace wb
