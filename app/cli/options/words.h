// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wb {

/// The parts of a list as written on a command line, without blanks around them; empty ones are left out.
[[nodiscard]] std::vector<std::string> words(std::string_view text, char separator);

}  // namespace wb
