// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/model/report.h"

namespace wb {

/// Where this run departed from BackendBench by default, one line each. `choices` say where another kernel
/// was taken than BackendBench takes.
[[nodiscard]] std::vector<std::string> corrections(const Report& report,
                                                   const std::vector<std::string>& choices);

}  // namespace wb
