// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/model/report.h"

namespace wb {

/// The kernels' sources with line numbers and each diagnostic under its line; "" when no kernel has a source.
[[nodiscard]] std::string htmlSources(const Report& report);

/// Address of a line in `htmlSources`: "#k0-12"; "" when `place` is in no kernel's source.
[[nodiscard]] std::string sourceLink(const Report& report, const Place& place);

/// What the run said, cut at 200 kB; "" when it said nothing.
[[nodiscard]] std::string htmlLog(const Report& report);

}  // namespace wb
