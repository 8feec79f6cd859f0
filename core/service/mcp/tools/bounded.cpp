// SPDX-License-Identifier: Apache-2.0
#include "core/service/mcp/tools/bounded.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/cut_text.h"
#include "core/figures/figures.h"
#include "core/figures/text/text.h"
#include "core/report/formats.h"

namespace wb {
namespace {

/// A long message in a cell says what it has to say at its beginning.
constexpr std::size_t longestCell = 400;
constexpr std::size_t chartWidth = 100;

/// The table with its leading rows first, and without what is looked up elsewhere.
Table forReading(Table table, int highestRank) {
  std::uint32_t leading = 0;
  for (std::size_t s = 0; s < table.sets.size(); ++s)
    if (table.sets[s].leads) leading |= 1U << s;
  std::stable_partition(table.rows.begin(), table.rows.end(),
                        [&](const Table::Row& row) { return (row.sets & leading) != 0; });
  Table kept = table;
  kept.columns.clear();
  for (Table::Row& row : kept.rows) row.cells.clear();
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].rank > highestRank) continue;
    kept.columns.push_back(table.columns[c]);
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      Cell cell = std::move(table.rows[r].cells[c]);
      cell.text = cutText(std::move(cell.text), longestCell);
      kept.rows[r].cells.push_back(std::move(cell));
    }
  }
  return kept;
}

}  // namespace

FigurePart markdownPart(const Figure& figure, std::size_t first, std::size_t most, int highestRank) {
  FigurePart part;
  part.rows = part.shown = sizeOf(figure);
  if (const auto* whole = std::get_if<Table>(&figure)) {
    Table table = forReading(*whole, highestRank);
    part.first = std::min(first, part.rows);
    part.shown = std::min(most, part.rows - part.first);
    const auto begin = table.rows.begin() + static_cast<std::ptrdiff_t>(part.first);
    table.rows = {begin, begin + static_cast<std::ptrdiff_t>(part.shown)};
    part.markdown = markdownFigure(table);
  } else {
    part.markdown = markdownFigure(figure);
    if (part.markdown.empty() && part.rows > 0)
      part.markdown = fenced(toText(figure, {.width = chartWidth, .maxRows = most}));
  }
  part.markdown = cutText(std::move(part.markdown), longestAnswer);
  return part;
}

std::string whatIsLeft(const FigurePart& part, std::string_view run, std::string_view figure) {
  if (part.first == 0 && part.shown == part.rows) return {};
  const std::size_t end = part.first + part.shown;
  std::string text = fmt::format("Rows {} to {} of {} are shown", part.first + 1, end, part.rows);
  if (end < part.rows)
    text += fmt::format("; read_run(run_id=\"{}\", figure=\"{}\", first_row={}) gives the next ones", run,
                        figure, end);
  return text + ".\n";
}

std::string fenced(std::string_view text, std::string_view language) {
  std::size_t run = 0, longest = 2;
  for (const char c : text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`');
  return fmt::format("{}{}\n{}{}{}\n", fence, language, text, text.ends_with('\n') ? "" : "\n", fence);
}

LinesPart linesPart(const std::vector<std::string>& lines, std::size_t first, std::size_t most,
                    std::size_t mostBytes) {
  LinesPart part;
  part.lines = lines.size();
  part.first = std::min(first, lines.size());
  for (std::size_t at = part.first; at < lines.size() && part.shown < most; ++at) {
    const std::string line = cutText(lines[at], longestCell);
    // One line at least, so that whoever pages gets on.
    if (part.shown > 0 && part.text.size() + line.size() >= mostBytes) break;
    part.text += line + "\n";
    ++part.shown;
  }
  return part;
}

}  // namespace wb
