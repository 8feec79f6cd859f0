// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/figures.h"
#include "core/figures/text/text.h"
#include "core/figures/text/text_parts.h"
#include "core/figures/text/text_width.h"
#include "core/figures/verdict/verdict_line.h"
#include "core/report/formats.h"
#include "core/report/title.h"

namespace wb {

namespace {

/// A table of more rows is for CSV; Markdown is read.
constexpr std::size_t mostRows = 500;
/// Figures of a higher rank are for where one can page through them.
constexpr int highestRank = 1;

/// Text that means itself, in one line: what Markdown and HTML would read something into is escaped.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (std::string_view("\\`*_{}[]<>|#&~").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string toneMark(Tone tone) {
  return tone == Tone::bad ? "**" : "";
}

std::string cellText(const Cell& cell) {
  if (cell.text.empty()) return {};
  const std::string text = toneMark(cell.tone) + plain(cell.text) + toneMark(cell.tone);
  return std::isnan(cell.bar) ? text : "`" + shareBar(cell.bar, 6) + "` " + text;
}

std::string markdown(const Cards& cards) {
  std::string text = "| | | |\n|---|---|---|\n";
  for (const Card& card : cards.cards)
    text += "| " + plain(card.title) + " | **" + plain(card.value) + "** | " + plain(card.detail) + " |\n";
  return text;
}

std::string markdown(const Table& full) {
  const Table table = withoutEmptyColumns(full);
  std::string text = "## " + plain(table.title) + "\n\n";
  if (table.rows.empty()) return text + plain(table.empty) + "\n";
  std::string rule;
  for (const Column& column : table.columns) {
    text += "| " + plain(column.title) + " ";
    rule += isNumber(column.kind) ? "|---:" : "|---";
  }
  text += "|\n" + rule + "|\n";
  const std::size_t shown = std::min(table.rows.size(), mostRows);
  for (std::size_t r = 0; r < shown; ++r) {
    for (const Cell& cell : table.rows[r].cells) text += "| " + cellText(cell) + " ";
    text += "|\n";
  }
  if (shown < table.rows.size())
    text += "\n… and " + formatCount(static_cast<std::int64_t>(table.rows.size() - shown)) +
            " more; the CSV report has all of them.\n";
  return text;
}

/// Speedups cannot be drawn here; cases and operators are in their tables. Shares become a table.
std::string markdown(const BarChart& chart) {
  if (!chart.linear) return {};
  std::string text = "## " + plain(chart.title) + "\n\n";
  if (chart.bars.empty()) return text + plain(chart.empty) + "\n";
  text += "| " + plain(chart.axis) + " | |\n|---|---:|\n";
  for (const Bar& bar : chart.bars) text += "| " + plain(bar.label) + " | " + plain(bar.text) + " |\n";
  return text;
}

/// The table that comes with it has the numbers.
std::string markdown(const PlaneChart&) {
  return {};
}

/// The text as a terminal shows it.
std::string markdown(const TimeChart& chart) {
  std::string text = "## " + plain(chart.title) + "\n\n";
  if (chart.lanes.empty()) return text + plain(chart.empty) + "\n";
  std::string drawn = toText(chart, {100, false, 0});
  drawn.erase(0, drawn.find('\n') + 1);
  return text + "```text\n" + drawn + "```\n";
}

/// The words and the map as a terminal shows them.
std::string markdown(const CellMaps& maps) {
  if (maps.maps.empty()) return {};
  return "## " + plain(maps.title) + "\n\n```text\n" + toText(maps, {100, false, 0}) + "```\n";
}

std::string markdown(const StackChart& chart) {
  return markdown(tableOf(chart));
}

std::string markdown(const FlowChart& chart) {
  std::string text = markdown(tableOf(chart));
  if (!chart.note.empty()) text += "\n" + plain(chart.note) + "\n";
  return text;
}

std::string sources(const Report& report) {
  std::string text;
  for (std::size_t k = 0; k < report.kernels.size(); ++k) {
    const KernelSource& source = report.kernels[k]->source;
    if (source.text.empty()) continue;
    // A fence longer than any run of backticks in the source.
    std::size_t run = 0, longest = 2;
    for (const char c : source.text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
    const std::string fence(longest + 1, '`');
    const std::string language = source.path.ends_with(".py") ? "python" : "cpp";
    text += "\n## " + plain(kernelLabel(report, k)) + "\n\n" + fence + language + "\n" + source.text;
    text += (source.text.ends_with('\n') ? "" : "\n") + fence + "\n";
  }
  return text;
}

}  // namespace

std::string markdownFigure(const Figure& figure) {
  return std::visit([](const auto& one) { return markdown(one); }, figure);
}

Result<std::string> markdownReport(const Report& report) {
  std::string text =
      "# " + plain(reportTitle(report)) + "\n\n" + plain(verdictText(verdictLine(report))) + "\n";
  for (const FigureInfo& info : figures()) {
    if (!wanted(info, report) || info.rank > highestRank) continue;
    const Figure figure = info.make(report);
    // That nothing is wrong is said above.
    if (info.page == Page::elements && !whyEmpty(figure).empty()) continue;
    const std::string part = markdownFigure(figure);
    if (!part.empty()) text += "\n" + part;
  }
  return text + sources(report);
}

}  // namespace wb
