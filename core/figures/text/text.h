// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "core/figures/figure.h"

namespace wb {

/// How a figure becomes plain text.
struct TextStyle {
  /// The columns of the terminal; 0 means as wide as it gets. Long text is cut with "…".
  std::size_t width = 0;
  /// ANSI colours by tone.
  bool colours = false;
  /// How many rows of a table or chart are shown; 0 means all. A last line counts what is left out.
  std::size_t maxRows = 0;
};

/// A figure for terminals and golden files: cards as lines, a table aligned by display width, bars drawn from
/// the axis' base with their intervals shaded. Columns that are empty in all rows are left out. The text ends
/// with a newline.
[[nodiscard]] std::string toText(const Figure& figure, const TextStyle& style = {});

}  // namespace wb
