// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/model/report.h"

namespace wb {

/// What the default did otherwise than BackendBench in this run, one line each. `choices`: where another
/// kernel was taken than BackendBench takes.
[[nodiscard]] std::vector<std::string> corrections(const Report& report,
                                                   const std::vector<std::string>& choices);

}  // namespace wb
