// SPDX-License-Identifier: Apache-2.0
#include "core/figures/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/base/quantity.h"
#include "core/figures/text/text_charts.h"
#include "core/figures/text/text_parts.h"
#include "core/figures/text/text_width.h"

namespace wb {

std::string padded(std::string text, std::size_t width, bool right) {
  const std::size_t has = displayWidth(text);
  if (has >= width) return text;
  const std::string blank(width - has, ' ');
  return right ? blank + text : text + blank;
}

std::string coloured(std::string text, Tone tone, const TextStyle& style) {
  if (!style.colours || text.find_first_not_of(' ') == std::string::npos) return text;
  std::string_view code;
  switch (tone) {
    case Tone::neutral:
      return text;
    case Tone::good:
      code = "32";
      break;
    case Tone::bad:
      code = "31";
      break;
    case Tone::warning:
      code = "33";
      break;
    case Tone::muted:
      code = "2";
      break;
  }
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string shareBar(double share, std::size_t columns) {
  static constexpr std::array<std::string_view, 8> eighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto all =
      static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(8 * columns)));
  std::string bar;
  for (std::size_t i = 0; i < all / 8; ++i) bar += "█";
  bar += eighths[all % 8];
  return padded(std::move(bar), columns);
}

std::string bold(const std::string& text, const TextStyle& style) {
  return style.colours ? "\x1b[1m" + text + "\x1b[0m" : text;
}

std::size_t shownRows(std::size_t rows, const TextStyle& style) {
  return style.maxRows == 0 ? rows : std::min(rows, style.maxRows);
}

std::string leftOut(std::size_t rows, std::size_t shown) {
  if (shown == rows) return {};
  return fmt::format("… and {} more\n", formatCount(static_cast<std::int64_t>(rows - shown)));
}

namespace {

constexpr std::string_view gap = textGap;
/// A text column becomes narrower than this only when no column can be left out.
constexpr std::size_t readableColumn = 16;
/// A text column never becomes narrower than this.
constexpr std::size_t leastColumn = 6;

void trimEnd(std::string& line) {
  while (!line.empty() && line.back() == ' ') line.pop_back();
}

std::string cardsText(const Cards& cards, const TextStyle& style) {
  std::size_t titles = 0, values = 0;
  for (const Card& card : cards.cards) {
    titles = std::max(titles, displayWidth(card.title));
    values = std::max(values, displayWidth(printable(card.value)));
  }
  std::string text;
  for (const Card& card : cards.cards) {
    std::string detail = printable(card.detail);
    const std::size_t before = titles + values + 2 * gap.size();
    if (style.width > before) detail = truncated(detail, style.width - before);
    std::string line = padded(card.title, titles);
    line.append(gap).append(coloured(padded(printable(card.value), values), card.tone, style));
    line.append(gap).append(coloured(std::move(detail), Tone::muted, style));
    trimEnd(line);
    text += line + "\n";
  }
  return text;
}

struct TextColumn {
  std::size_t index = 0, width = 0;
  bool right = false;
};

/// The columns that are not empty, as wide as they need.
std::vector<TextColumn> filledColumns(const Table& table,
                                      const std::vector<std::vector<std::string>>& cells) {
  std::vector<TextColumn> columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    TextColumn column{c, 0, isNumber(table.columns[c].kind)};
    for (const auto& row : cells)
      if (c < row.size()) column.width = std::max(column.width, displayWidth(row[c]));
    if (column.width == 0) continue;
    column.width = std::max(column.width, displayWidth(table.columns[c].title));
    columns.push_back(column);
  }
  return columns;
}

std::size_t totalWidth(const std::vector<TextColumn>& columns) {
  std::size_t total = columns.empty() ? 0 : gap.size() * (columns.size() - 1);
  for (const TextColumn& column : columns) total += column.width;
  return total;
}

/// Takes the excess from the widest text column, one step at a time, none below `least`. Numbers are never
/// cut.
void shrink(std::vector<TextColumn>& columns, std::size_t width, std::size_t least) {
  while (totalWidth(columns) > width) {
    auto widest = columns.end();
    for (auto c = columns.begin(); c != columns.end(); ++c)
      if (!c->right && c->width > least && (widest == columns.end() || c->width > widest->width)) widest = c;
    if (widest == columns.end()) return;
    --widest->width;
  }
}

/// Makes the columns fit: first cuts long text a little, then leaves out what matters least, then cuts text
/// as far as possible.
void fit(std::vector<TextColumn>& columns, const Table& table, std::size_t width) {
  while (true) {
    std::vector<TextColumn> cut = columns;
    shrink(cut, width, readableColumn);
    const auto rank = [&table](const TextColumn& c) { return table.columns[c.index].rank; };
    auto last = columns.end();
    for (auto c = columns.begin(); c != columns.end(); ++c)
      if (rank(*c) > 0 && (last == columns.end() || rank(*c) >= rank(*last))) last = c;
    if (totalWidth(cut) <= width || last == columns.end()) {
      columns = std::move(cut);
      break;
    }
    columns.erase(last);
  }
  shrink(columns, width, leastColumn);
}

/// A table of sentences as text: one paragraph each, with what stands in the other columns around it.
std::string proseText(const Table& table, std::size_t prose, const TextStyle& style) {
  std::string text;
  const std::size_t shown = shownRows(table.rows.size(), style);
  for (std::size_t r = 0; r < shown; ++r) {
    std::string before = "• ", after;
    const std::vector<Cell>& cells = table.rows[r].cells;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string cell = printable(cells[c].text);
      if (c == prose || cell.empty()) continue;
      if (c < prose)
        before += cell + ": ";
      else
        after += " (" + cell + ")";
    }
    const Cell& cell = cells[prose];
    std::string paragraph = wrapped(before + printable(cell.text) + after, style.width, "  ");
    paragraph.pop_back();
    text += coloured(std::move(paragraph), cell.tone, style) + "\n";
  }
  return text + leftOut(table.rows.size(), shown);
}

/// Blanks the name of a group except in its first row.
void blankRepeats(const Table& table, std::vector<std::vector<std::string>>& cells) {
  for (std::size_t r = cells.size(); r-- > 1;)
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].kind != ColumnKind::group) break;
      if (cells[r][c] != cells[r - 1][c]) break;
      cells[r][c].clear();
    }
}

std::vector<std::vector<std::string>> withBars(const Table& table,
                                               std::vector<std::vector<std::string>> cells) {
  constexpr std::size_t columns = 6;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::size_t widest = 0;
    for (std::size_t r = 0; r < cells.size(); ++r)
      if (!std::isnan(table.rows[r].cells[c].bar)) widest = std::max(widest, displayWidth(cells[r][c]));
    for (std::size_t r = 0; r < cells.size() && widest > 0; ++r)
      if (const double share = table.rows[r].cells[c].bar; !std::isnan(share))
        cells[r][c] = shareBar(share, columns) + " " + padded(cells[r][c], widest, true);
  }
  return cells;
}

std::string tableText(const Table& table, const TextStyle& style) {
  std::string text = bold(table.title, style) + "\n";
  if (table.rows.empty()) return text + wrapped(printable(table.empty), style.width, "");
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (table.columns[c].kind == ColumnKind::prose) return text + proseText(table, c, style);
  const std::size_t shown = shownRows(table.rows.size(), style);
  std::vector<std::vector<std::string>> cells(shown);
  for (std::size_t r = 0; r < shown; ++r)
    for (const Cell& cell : table.rows[r].cells) cells[r].push_back(printable(cell.text));
  blankRepeats(table, cells);
  std::vector<TextColumn> columns = filledColumns(table, cells);
  // Bars are drawn where no column has to be left out for them.
  std::vector<std::vector<std::string>> barred = withBars(table, cells);
  if (std::vector<TextColumn> wider = filledColumns(table, barred);
      style.width == 0 || totalWidth(wider) <= style.width) {
    cells = std::move(barred);
    columns = std::move(wider);
  }
  if (style.width > 0) fit(columns, table, style.width);
  const auto addLine = [&text](std::string line) {
    trimEnd(line);
    text += line + "\n";
  };
  std::string head, rule;
  for (const TextColumn& column : columns) {
    const std::string_view between = head.empty() ? "" : gap;
    head.append(between).append(
        padded(truncated(table.columns[column.index].title, column.width), column.width, column.right));
    rule.append(between);
    for (std::size_t i = 0; i < column.width; ++i) rule += "─";
  }
  addLine(std::move(head));
  addLine(coloured(std::move(rule), Tone::muted, style));
  for (std::size_t r = 0; r < shown; ++r) {
    std::string line;
    for (const TextColumn& column : columns) {
      if (&column != &columns.front()) line += gap;
      if (column.index >= cells[r].size()) continue;
      line += coloured(padded(truncated(cells[r][column.index], column.width), column.width, column.right),
                       table.rows[r].cells[column.index].tone, style);
    }
    addLine(std::move(line));
  }
  return text + leftOut(table.rows.size(), shown);
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t width, std::string_view indent) {
  std::string out, line;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const std::string word(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (width > 0 && !line.empty() && displayWidth(line) + 1 + displayWidth(word) > width) {
      out += line + "\n";
      line = std::string(indent) + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  return out + line + "\n";
}

std::string toText(const Figure& figure, const TextStyle& style) {
  struct Visitor {
    const TextStyle& style;
    std::string operator()(const Cards& cards) const { return cardsText(cards, style); }
    std::string operator()(const Table& table) const { return tableText(table, style); }
    std::string operator()(const BarChart& chart) const { return chartText(chart, style); }
    std::string operator()(const PlaneChart& chart) const { return chartText(chart, style); }
    std::string operator()(const TimeChart& chart) const { return chartText(chart, style); }
    std::string operator()(const CellMaps& maps) const { return chartText(maps, style); }
    std::string operator()(const StackChart& chart) const { return tableText(tableOf(chart), style); }
    std::string operator()(const FlowChart& chart) const {
      std::string text = tableText(tableOf(chart), style);
      if (!chart.note.empty()) text += wrapped(printable(chart.note), style.width, "");
      return text;
    }
  };
  return std::visit(Visitor{style}, figure);
}

}  // namespace wb
