// SPDX-License-Identifier: Apache-2.0
#include "core/report/html/html_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/report/html/html_text.h"

namespace wb {

namespace {

using nlohmann::json;

std::string cellHtml(const Column& column, const Cell& cell, const std::string& href) {
  std::string classes = column.numeric ? "num" : "";
  if (cell.tone != Tone::neutral) classes.append(classes.empty() ? "" : " ").append(toneClass(cell.tone));
  std::string html = "<td data-key=\"" + escapeHtml(column.key) + "\"";
  if (!std::isnan(cell.bar)) {
    classes += classes.empty() ? "share" : " share";
    html += fmt::format(" style=\"--share:{:.4g}%\"", 100 * cell.bar);
  }
  if (!classes.empty()) html += " class=\"" + classes + "\"";
  if (!cell.detail.empty()) html += " title=\"" + escapeHtml(cell.detail) + "\"";
  const std::string text = escapeHtml(cell.text);
  const bool linked = column.key == "place" && !href.empty();
  return html + ">" + (linked ? "<a href=\"" + escapeHtml(href) + "\">" + text + "</a>" : text) + "</td>";
}

std::string hrefOf(const Table& table, std::size_t row, const Link& link) {
  return row < table.places.size() ? link(table.places[row]) : std::string();
}

/// Six digits: enough to sort by, and short.
json sortKey(double value) {
  if (!std::isfinite(value)) return std::isinf(value) ? json(value > 0 ? 1e308 : -1e308) : json(nullptr);
  return json(std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr));
}

json cellJson(const Column& column, const Cell& cell) {
  const bool sorts = !std::isnan(cell.sort) && (column.numeric || column.key == "severity");
  const bool barred = !std::isnan(cell.bar);
  if (!sorts && !barred && cell.detail.empty() && cell.tone == Tone::neutral) return cell.text;
  json list = json::array({cell.text});
  const bool toned = cell.tone != Tone::neutral;
  if (toned || sorts || barred || !cell.detail.empty()) list.push_back(static_cast<int>(cell.tone));
  if (sorts || barred || !cell.detail.empty()) list.push_back(sorts ? sortKey(cell.sort) : json(nullptr));
  if (barred || !cell.detail.empty()) list.push_back(cell.detail);
  if (barred) list.push_back(sortKey(cell.bar));
  return list;
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
  html += "<div class=\"scroll-x\"><table><thead><tr>";
  for (const Column& column : table.columns) {
    html += column.numeric ? "<th scope=\"col\" class=\"num\"" : "<th scope=\"col\"";
    if (!column.meaning.empty()) html += " title=\"" + escapeHtml(column.meaning) + "\"";
    html += ">" + escapeHtml(column.title) + "</th>";
  }
  html += "</tr></thead><tbody>\n";
  const std::size_t shown = std::min(table.rows.size(), staticRows);
  for (std::size_t r = 0; r < shown; ++r) {
    html += "<tr>";
    const std::string href = hrefOf(table, r, link);
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      html += cellHtml(table.columns[c], table.rows[r][c], href);
    html += "</tr>\n";
  }
  html += "</tbody></table></div>";
  if (shown < table.rows.size())
    html += fmt::format("<noscript><p class=\"empty\">{} more rows need scripts to be shown.</p></noscript>",
                        formatCount(static_cast<std::int64_t>(table.rows.size() - shown)));
  return html + "</div>\n</section>\n";
}

json pageJson(const Table& table, const Link& link) {
  json columns = json::array(), rows = json::array();
  for (const Column& column : table.columns)
    columns.push_back({{"key", column.key}, {"numeric", column.numeric}});
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    json row = json::array({table.rowIds[r], hrefOf(table, r, link)});
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      row.push_back(cellJson(table.columns[c], table.rows[r][c]));
    rows.push_back(std::move(row));
  }
  return {
      {"id", table.id}, {"title", table.title}, {"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

}  // namespace wb
