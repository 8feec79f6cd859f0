// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/model/case.h"

namespace wb {

/// The cases of a problem with inputs of its own, from the calls that they spell. Only the first is timed,
/// since the shapes of all are the same.
[[nodiscard]] std::vector<Case> problemCases(const std::string& op, const std::vector<std::string>& calls);

}  // namespace wb
