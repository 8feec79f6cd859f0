// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

/// PTX of a kernel, a row a line, with the source line that its ".loc" directives say. Columns "function"
/// (empty where there is one form only), "text", "place"; directives that only carry those lines are left
/// out.
[[nodiscard]] Table ptxTable(const Report& report, std::size_t kernel);

}  // namespace wb
