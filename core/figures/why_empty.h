// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/model/report.h"

namespace wb {

/// Why a run has no cases to show, and what to do about it.
[[nodiscard]] std::string whyNoCases(const Report& report);
/// Why it has no times to show, and what to do about it.
[[nodiscard]] std::string whyNoTimes(const Report& report);

}  // namespace wb
