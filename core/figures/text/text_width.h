// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wb {

/// The columns that a UTF-8 text takes on a terminal: combining marks take none, East Asian wide characters
/// and emoji take two. Source of the ranges: Unicode 15, EastAsianWidth.txt, the blocks whose characters are
/// W or F.
[[nodiscard]] std::size_t displayWidth(std::string_view utf8);

/// The text cut to at most `columns`, of which the last is "…" where something was cut.
[[nodiscard]] std::string truncated(std::string_view utf8, std::size_t columns);

/// The text with control characters (a kernel's escape sequences, newlines, tabs, changes of direction)
/// replaced by spaces, so that it can be printed in one line.
[[nodiscard]] std::string printable(std::string_view utf8);

}  // namespace wb
