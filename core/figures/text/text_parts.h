// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/figures/text/text.h"

namespace wb {

// The text forms of tables and charts share these.

/// The gap between columns.
inline constexpr std::string_view textGap = "  ";

/// The text filled with blanks to `width` columns, after it or, with `right`, before it.
[[nodiscard]] std::string padded(std::string text, std::size_t width, bool right = false);
/// The text in the colour of a tone, where the style has colours.
[[nodiscard]] std::string coloured(std::string text, Tone tone, const TextStyle& style);
/// A text broken at blanks into lines of at most `width` columns, or with 0 one line, each with an end; the
/// lines after the first are indented.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width, std::string_view indent = {});
[[nodiscard]] std::string bold(const std::string& text, const TextStyle& style);
/// A share of `columns` drawn in blocks, to an eighth of a column; blanks fill the rest.
[[nodiscard]] std::string shareBar(double share, std::size_t columns);
/// How many rows a style allows; the next gives the line that counts the others ("" when there are none).
[[nodiscard]] std::size_t shownRows(std::size_t rows, const TextStyle& style);
[[nodiscard]] std::string leftOut(std::size_t rows, std::size_t shown);

}  // namespace wb
