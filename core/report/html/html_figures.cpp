// SPDX-License-Identifier: Apache-2.0
#include "core/report/html/html_figures.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "core/report/html/html_text.h"

namespace wb {

namespace {

/// Six digits: enough to sort by, and short.
std::string sortText(double value) {
  return std::isinf(value) ? (value > 0 ? "1e308" : "-1e308") : fmt::format("{:.6g}", value);
}

std::string headHtml(const Column& column) {
  std::string html = fmt::format("<th scope=\"col\" class=\"{}\" data-kind=\"{}\"",
                                 isNumber(column.kind) ? "num" : name(column.kind), name(column.kind));
  if (const std::string tip = tooltipOf(column); !tip.empty()) html += " title=\"" + escapeHtml(tip) + "\"";
  return html + ">" + escapeHtml(column.title) + "</th>";
}

/// Words need no class, and what is empty needs nothing: a long table is most of its page.
std::string cellHtml(const Column& column, const Cell& cell, const std::string& href) {
  if (cell == Cell{}) return "<td></td>";
  std::string classes(isNumber(column.kind)             ? "num"
                      : column.kind == ColumnKind::text ? ""
                                                        : name(column.kind));
  if (cell.tone != Tone::neutral) classes.append(classes.empty() ? "" : " ").append(toneClass(cell.tone));
  if (!std::isnan(cell.bar)) classes += " bar";
  std::string html = classes.empty() ? "<td" : "<td class=\"" + classes + "\"";
  if (!std::isnan(cell.bar)) html += fmt::format(" style=\"--share:{:.4g}%\"", 100 * cell.bar);
  if (!std::isnan(cell.sort)) html += " data-n=\"" + sortText(cell.sort) + "\"";
  if (!cell.detail.empty()) html += " title=\"" + escapeHtml(cell.detail) + "\"";
  const std::string text = escapeHtml(cell.text);
  const bool isLink = column.kind == ColumnKind::place && !href.empty();
  return html + ">" + (isLink ? "<a href=\"" + escapeHtml(href) + "\">" + text + "</a>" : text) + "</td>";
}

std::string rowHtml(const Table& table, const Table::Row& row, bool isHidden, const Link& link) {
  std::string html = "<tr data-row=\"" + escapeHtml(row.id) + "\"";
  if (row.depth > 0) html += " class=\"part\"";
  html += isHidden ? " hidden>" : ">";
  const std::string href = row.place.line > 0 ? link(row.place) : std::string();
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    html += cellHtml(table.columns[c], row.cells[c], href);
  return html + "</tr>\n";
}

}  // namespace

std::string toneClass(Tone tone) {
  return "tone-" + std::string(name(tone));
}

std::string htmlCards(const Cards& cards) {
  std::string html = "<section id=\"" + escapeHtml(cards.id) + "\" class=\"cards\" aria-label=\"Summary\">\n";
  for (const Card& card : cards.cards)
    html += fmt::format(
        "<div class=\"card panel\"><h3>{}</h3><p class=\"value {}\">{}</p><p class=\"detail\">{}</p></div>\n",
        escapeHtml(card.title), toneClass(card.tone), escapeHtml(card.value), escapeHtml(card.detail));
  return html + "</section>\n";
}

std::string htmlTable(const Table& table, const Link& link) {
  std::string html = fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n"
      "<div class=\"head\"><h2 id=\"{0}-title\">{1}</h2></div>\n<div class=\"panel\">",
      escapeHtml(table.id), escapeHtml(table.title));
  if (table.rows.empty())
    return html + "<p class=\"empty\">" + escapeHtml(table.empty) + "</p></div>\n</section>\n";
  html += fmt::format("<div class=\"scroll-x\"><table data-page=\"{}\"><thead><tr>", pageRows);
  for (const Column& column : table.columns) html += headHtml(column);
  html += "</tr></thead><tbody>\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    html += rowHtml(table, table.rows[r], r >= pageRows, link);
  return html + "</tbody></table></div></div>\n</section>\n";
}

}  // namespace wb
