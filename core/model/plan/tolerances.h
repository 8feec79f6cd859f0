// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/job.h"

namespace wb {

/// How far elements may be off: by atol + rtol·|e|.
struct Bounds {
  double rtol = 0, atol = 0;
  bool operator==(const Bounds&) const = default;
};

/// What each preset gives to a type. Presets "torch" and "strict": torch.testing's table
/// (torch.testing.assert_close, "dtype_precisions"); float8, which that table lacks, gets one unit in the
/// last place. Preset "backendbench" has one for all types.
inline constexpr Bounds float64Bounds{1e-7, 1e-7}, float32Bounds{1.3e-6, 1e-5}, float16Bounds{1e-3, 1e-5},
    bfloat16Bounds{1.6e-2, 1e-5}, float8e4m3Bounds{0.125, 1e-5}, float8e5m2Bounds{0.25, 1e-5},
    exactBounds{0, 0}, backendBenchBounds{1e-2, 1e-2};

/// Whether a case of a run with this plan can have been judged by these bounds.
[[nodiscard]] bool mayJudgeBy(const RunPlan& plan, const Bounds& bounds);

}  // namespace wb
