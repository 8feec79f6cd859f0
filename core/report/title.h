// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/model/report.h"

namespace wb {

/// What a report is of, in a few words: "relu.cpp · relu", "12 kernels · smoke".
[[nodiscard]] std::string reportTitle(const Report& report);

}  // namespace wb
