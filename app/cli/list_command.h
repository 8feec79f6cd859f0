// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace wb {

/// `warpbench list operators|suites|languages|devices|reports`, one a line, to standard output. `filter` is a
/// name in any spelling or a glob. The shell's exit status.
int listCommand(const std::string& what, const std::string& filter);

}  // namespace wb
