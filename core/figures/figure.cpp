// SPDX-License-Identifier: Apache-2.0
#include "core/figures/figure.h"

#include <cmath>

#include "core/base/quantity.h"

namespace wb {

std::string tooltipOf(const Column& column) {
  std::string more = column.unit;
  if (column.better != Better::neither)
    more += (more.empty() ? "" : ", ") + std::string(name(column.better)) + " is better";
  return more.empty() ? column.meaning : column.meaning + " (" + more + ")";
}

namespace {

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

bool FlowNode::operator==(const FlowNode& other) const {
  return title == other.title && text == other.text && detail == other.detail && column == other.column &&
         row == other.row && rows == other.rows && same(share, other.share);
}

bool FlowLink::operator==(const FlowLink& other) const {
  return from == other.from && to == other.to && text == other.text && detail == other.detail &&
         same(share, other.share);
}

Table tableOf(const StackChart& chart) {
  Table table{.id = chart.id, .title = chart.title, .columns = {}, .rows = {}, .empty = chart.empty};
  table.columns.push_back({.key = "what", .title = "What", .meaning = chart.axis, .kind = ColumnKind::name});
  for (std::size_t r = 0; r < chart.rows.size(); ++r)
    table.columns.push_back({.key = std::to_string(r),
                             .title = chart.rows[r].label,
                             .meaning = chart.rows[r].detail,
                             .kind = ColumnKind::share,
                             .rank = r < 2 ? 0 : 2});
  for (std::size_t k = 0; k < chart.keys.size(); ++k) {
    const StackKey& key = chart.keys[k];
    Table::Row row{.id = std::to_string(k), .cells = {}};
    Cell what;
    what.text = key.meaning.empty() ? key.label : key.label + ": " + key.meaning;
    row.cells.push_back(std::move(what));
    for (const StackRow& stack : chart.rows) {
      Cell cell;
      if (stack.shares[k] > 0) {
        cell.text = formatPercent(stack.shares[k]);
        cell.sort = cell.bar = stack.shares[k];
      }
      row.cells.push_back(std::move(cell));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table tableOf(const FlowChart& chart) {
  Table table{.id = chart.id, .title = chart.title, .columns = {}, .rows = {}, .empty = chart.empty};
  table.columns = {{.key = "where", .title = "Where", .kind = ColumnKind::name},
                   {.key = "what", .title = "What"}};
  const auto add = [&](const std::string& where, const std::string& what, const std::string& detail) {
    if (what.empty()) return;
    Cell name, cell;
    name.text = where;
    cell.text = what;
    cell.detail = detail;
    table.rows.push_back({.id = std::to_string(table.rows.size()), .cells = {name, cell}});
  };
  for (const FlowNode& node : chart.nodes) add(node.title, node.text, node.detail);
  for (const FlowLink& link : chart.links)
    add(chart.nodes[link.from].title + " → " + chart.nodes[link.to].title, link.text, link.detail);
  return table;
}

bool Cell::operator==(const Cell& other) const {
  return same(sort, other.sort) && same(bar, other.bar) && same(low, other.low) && same(high, other.high) &&
         tone == other.tone && text == other.text && detail == other.detail;
}

}  // namespace wb
