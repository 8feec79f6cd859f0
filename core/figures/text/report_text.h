// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/figures/text/text.h"
#include "core/model/report.h"

namespace wb {

/// What a terminal shows of a report: its verdict on one line, and the figures of rank 0, each cut to the
/// rows that are read at once. Of a profile it shows each case by itself, and why figures are missing, each
/// reason once; without a GPU it shows what the compiler made.
[[nodiscard]] std::string reportText(const Report& report, const TextStyle& style);

}  // namespace wb
