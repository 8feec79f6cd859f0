// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/engine/call.h"
#include "core/model/job.h"
#include "core/model/measurement.h"

namespace wb {

/// rtol and atol for an output of this dtype. Presets: see decisions, "Verdicts".
struct Bounds {
  double rtol = 0, atol = 0;
};
[[nodiscard]] Bounds bounds(const Tolerance& tolerance, at::ScalarType dtype);

/// Compares outputs: same count, shape, dtype, device; non-finite values placewise; then |c − e| ≤ atol +
/// rtol·|e| (preset backendbench: rtol·|c|). `oracle` (float64 outputs, may be empty) lets the default preset
/// accept a case over tolerance whose worst error is at most twice the reference's own plus 2 ULP; preset
/// strict uses that rule alone. Fills errors, first bad index, message.
[[nodiscard]] CaseCheck compareOutputs(const Stack& candidate, const Stack& expected, const Stack& oracle,
                                       const Tolerance& tolerance);

/// True when an argument's tensor data differ bitwise from its clone taken before the call.
[[nodiscard]] bool argumentsChanged(const Stack& before, const Stack& after, std::string& which);

}  // namespace wb
