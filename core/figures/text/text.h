// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "core/figures/figure.h"

namespace wb {

/// How a figure becomes plain text.
struct TextStyle {
  std::size_t width = 0;    ///< columns of the terminal; 0: as wide as it gets. Long text is cut with "…"
  bool colours = false;     ///< ANSI colours by tone
  std::size_t maxRows = 0;  ///< of a table or chart; 0: all. What is left out is counted in a last line
};

/// A figure for terminals and golden files: cards as lines, a table aligned by display width, bars drawn from
/// the axis' base with their intervals shaded. Columns that are empty in all rows are left out. Ends with a
/// newline.
[[nodiscard]] std::string toText(const Figure& figure, const TextStyle& style = {});

}  // namespace wb
