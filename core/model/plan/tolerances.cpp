// SPDX-License-Identifier: Apache-2.0
#include "core/model/plan/tolerances.h"

#include <algorithm>
#include <array>

namespace wb {

bool mayJudgeBy(const RunPlan& plan, const Bounds& bounds) {
  constexpr std::array torchs{float64Bounds,  float32Bounds,    float16Bounds,
                              bfloat16Bounds, float8e4m3Bounds, float8e5m2Bounds};
  // Integers are compared exactly under every preset.
  if (bounds == exactBounds) return true;
  if (plan.checking.likeBackendBench || plan.tolerance.preset == "backendbench")
    return bounds == backendBenchBounds;
  if (plan.tolerance.preset == "given") return bounds == Bounds{plan.tolerance.rtol, plan.tolerance.atol};
  return std::find(torchs.begin(), torchs.end(), bounds) != torchs.end();
}

}  // namespace wb
