// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/figures/figure.h"

namespace wb {

/// How many bytes of text a tool answers with at most; a model has to read all of it.
constexpr std::size_t longestAnswer = 24'000;

/// Some rows of a figure as Markdown.
struct FigurePart {
  std::string markdown;
  /// The rows that the figure has, and those that are shown.
  std::size_t rows = 0, first = 0, shown = 0;
};

/// A figure as Markdown, of a table `most` rows from `first` on, and only its columns of the highest ranks.
/// Rows that lead their table, such as failing cases, come first. A chart is what a terminal draws.
[[nodiscard]] FigurePart markdownPart(const Figure& figure, std::size_t first, std::size_t most,
                                      int highestRank = 0);

/// "Rows 1 to 20 of 134 are shown; read_run(run_id=…, figure=…, first_row=20) gives more." or "".
[[nodiscard]] std::string whatIsLeft(const FigurePart& part, std::string_view run, std::string_view figure);

/// Text in a fence that nothing in it can close.
[[nodiscard]] std::string fenced(std::string_view text, std::string_view language = "text");

/// Some lines of a text: those from `first` on, as many as fit in `most` lines and `mostBytes`.
struct LinesPart {
  std::string text;
  std::size_t lines = 0, first = 0, shown = 0;
};
[[nodiscard]] LinesPart linesPart(const std::vector<std::string>& lines, std::size_t first, std::size_t most,
                                  std::size_t mostBytes);

}  // namespace wb
