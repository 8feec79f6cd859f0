// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace wb {

/// Compares with tests/golden/NAME and says the first line that differs. With WARPBENCH_GOLDEN=update in the
/// environment it writes the file instead, for a reader to look at in the diff.
void expectGolden(std::string_view name, const std::string& actual);

}  // namespace wb
