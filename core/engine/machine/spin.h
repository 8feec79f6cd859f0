// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/model/operators/catalogue.h"

namespace wb {

/// The name of an operator of Warpbench's own: "spin(Tensor self, int cycles) -> Tensor" copies `self` after
/// it has waited for so many cycles of the device's clock (CeilingKernels::spin; nanoseconds on a CPU). Its
/// time is known, so that timing can be tested.
inline constexpr const char* spinOperator = "warpbench::spin";

/// Registers the operator with torch, once per process, and gives its entry for the list of operators.
/// `architecture` is that of the GPU, "" without one. Errors: NVRTC, the driver.
Result<OperatorEntry> defineSpin(const std::string& architecture);

}  // namespace wb
