// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/model/operators/catalogue.h"

namespace wb {

/// The name of an operator of our own: "spin(Tensor self, int cycles) -> Tensor" copies `self` after waiting
/// so many cycles of the device's clock (nanoseconds on a CPU). Its length is known, so timing can be tested.
inline constexpr const char* spinOperator = "warpbench::spin";

/// Makes torch know it, once a process. `architecture`: of the GPU, "" without one. Gives its entry for the
/// list of operators. Errors: NVRTC, the driver.
Result<OperatorEntry> defineSpin(const std::string& architecture);

}  // namespace wb
