// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wb {

/// Columns a UTF-8 text takes on a terminal: combining marks none, East Asian wide characters and emoji two.
/// Ranges: Unicode 15, EastAsianWidth.txt, the blocks whose characters are W or F.
[[nodiscard]] std::size_t displayWidth(std::string_view utf8);

/// Cut to at most `columns`, the last one "…" where something was cut.
[[nodiscard]] std::string truncated(std::string_view utf8, std::size_t columns);

/// Control characters (a kernel's escape sequences, newlines, tabs, changes of direction) become spaces: safe
/// to print in one line.
[[nodiscard]] std::string printable(std::string_view utf8);

}  // namespace wb
