// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/figures/text/text.h"
#include "core/model/report.h"

namespace wb {

/// What profiling found, for a terminal: advice, metrics side by side, launches, roofline, timeline, stalls,
/// hot lines; without a GPU, or where everything was refused, why and what there is all the same. Of all
/// profiled cases, one after the other. Empty when profiling was not asked for.
[[nodiscard]] std::string profileText(const Report& report, const TextStyle& style);

}  // namespace wb
