// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/v1/figure_json.h"

#include <cmath>
#include <variant>

#include "core/figures/figures.h"

namespace wb {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

template <class Chart>
Json headOf(std::string_view kind, const Chart& chart) {
  return {{"kind", kind}, {"id", chart.id}, {"title", chart.title}, {"empty", chart.empty}};
}

Json jsonOf(const Cards& cards) {
  Json list = Json::array();
  for (const Card& card : cards.cards)
    list.push_back({{"id", card.id}, {"title", card.title}, {"value", card.value}, {"detail", card.detail}});
  return {{"kind", "cards"}, {"id", cards.id}, {"cards", std::move(list)}};
}

Json jsonOf(const Table& table) {
  Json result = headOf("table", table);
  Json columns = Json::array(), rows = Json::array();
  for (const Column& column : table.columns)
    columns.push_back({{"id", column.key},
                       {"title", column.title},
                       {"meaning", column.meaning},
                       {"unit", column.unit},
                       {"isNumber", isNumber(column.kind)}});
  for (const Table::Row& row : table.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row.cells) {
      Json one{{"text", cell.text}, {"value", number(cell.sort)}};
      if (!cell.detail.empty()) one["detail"] = cell.detail;
      if (std::isfinite(cell.low)) one["low"] = cell.low, one["high"] = cell.high;
      cells.push_back(std::move(one));
    }
    rows.push_back({{"id", row.id}, {"depth", row.depth}, {"cells", std::move(cells)}});
  }
  result["columns"] = std::move(columns);
  result["rows"] = std::move(rows);
  return result;
}

Json jsonOf(const BarChart& chart) {
  Json result = headOf("bars", chart), bars = Json::array();
  for (const Bar& bar : chart.bars)
    bars.push_back({{"label", bar.label},
                    {"value", number(bar.value)},
                    {"low", number(bar.low)},
                    {"high", number(bar.high)},
                    {"text", bar.text},
                    {"row", bar.rowId}});
  result["axis"] = chart.axis;
  result["base"] = chart.base;
  result["isLinear"] = chart.linear;
  result["bars"] = std::move(bars);
  return result;
}

Json axisOf(const ChartAxis& axis) {
  return {{"title", axis.title}, {"unit", axis.unit}, {"isLogarithmic", axis.logarithmic}};
}

Json jsonOf(const PlaneChart& chart) {
  Json result = headOf("plane", chart), points = Json::array(), lines = Json::array();
  for (const ChartPoint& point : chart.points)
    points.push_back({{"x", number(point.x)},
                      {"y", number(point.y)},
                      {"low", number(point.low)},
                      {"high", number(point.high)},
                      {"label", point.label},
                      {"detail", point.detail},
                      {"row", point.rowId}});
  for (const ChartLine& line : chart.lines) {
    Json ends = Json::array();
    for (const auto& [x, y] : line.points) ends.push_back({number(x), number(y)});
    lines.push_back({{"label", line.label}, {"points", std::move(ends)}});
  }
  result["x"] = axisOf(chart.x);
  result["y"] = axisOf(chart.y);
  result["points"] = std::move(points);
  result["lines"] = std::move(lines);
  return result;
}

Json jsonOf(const TimeChart& chart) {
  Json result = headOf("time", chart), lanes = Json::array();
  for (const Lane& lane : chart.lanes) {
    Json spans = Json::array();
    for (const Span& span : lane.spans)
      spans.push_back({{"label", span.label},
                       {"start_seconds", number(span.start)},
                       {"seconds", number(span.length)},
                       {"detail", span.detail}});
    lanes.push_back({{"label", lane.label}, {"spans", std::move(spans)}});
  }
  result["lanes"] = std::move(lanes);
  return result;
}

/// What is drawn as a stack or as a flow is told as the table of the same.
Json jsonOf(const StackChart& chart) {
  return jsonOf(tableOf(chart));
}
Json jsonOf(const FlowChart& chart) {
  return jsonOf(tableOf(chart));
}
/// The elements stand in the figure "elements"; the maps are pictures of them.
Json jsonOf(const CellMaps&) {
  return {{"kind", "maps"}};
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result.append(c == '"' ? 2 : 1, c);
  return result + '"';
}

std::string csvOf(const Table& table) {
  std::string csv;
  const auto addLine = [&](const auto& cells, auto textOf) {
    for (std::size_t i = 0; i < cells.size(); ++i) csv += (i == 0 ? "" : ",") + quoted(textOf(i));
    csv += "\r\n";
  };
  addLine(table.columns, [&](std::size_t i) {
    const Column& column = table.columns[i];
    return column.unit.empty() ? column.title : column.title + " (" + column.unit + ")";
  });
  for (const Table::Row& row : table.rows)
    addLine(row.cells, [&](std::size_t i) {
      const bool isPlain = isNumber(table.columns[i].kind) && std::isfinite(row.cells[i].sort);
      return isPlain ? nlohmann::json(row.cells[i].sort).dump() : row.cells[i].text;
    });
  return csv;
}

std::string csvOf(const StackChart& chart) {
  return csvOf(tableOf(chart));
}
std::string csvOf(const FlowChart& chart) {
  return csvOf(tableOf(chart));
}
std::string csvOf(const BarChart& chart) {
  Table table{.columns = {{.title = "Label"},
                          {.title = chart.axis, .kind = ColumnKind::number},
                          {.title = "Low", .kind = ColumnKind::number},
                          {.title = "High", .kind = ColumnKind::number}}};
  for (const Bar& bar : chart.bars)
    table.rows.push_back({.cells = {{.text = bar.label},
                                    {.text = bar.text, .sort = bar.value},
                                    {.sort = bar.low},
                                    {.sort = bar.high}}});
  return csvOf(table);
}
std::string csvOf(const PlaneChart& chart) {
  Table table{.columns = {{.title = "Label"},
                          {.title = chart.x.title, .kind = ColumnKind::number, .unit = chart.x.unit},
                          {.title = chart.y.title, .kind = ColumnKind::number, .unit = chart.y.unit}}};
  for (const ChartPoint& point : chart.points)
    table.rows.push_back({.cells = {{.text = point.label}, {.sort = point.x}, {.sort = point.y}}});
  return csvOf(table);
}
std::string csvOf(const Cards& cards) {
  Table table{.columns = {{.title = "What"}, {.title = "Value"}, {.title = "Detail"}}};
  for (const Card& card : cards.cards)
    table.rows.push_back({.cells = {{.text = card.title}, {.text = card.value}, {.text = card.detail}}});
  return csvOf(table);
}
std::string csvOf(const TimeChart& chart) {
  Table table{.columns = {{.title = "Lane"},
                          {.title = "Label"},
                          {.title = "Start", .kind = ColumnKind::number, .unit = "s"},
                          {.title = "Length", .kind = ColumnKind::number, .unit = "s"}}};
  for (const Lane& lane : chart.lanes)
    for (const Span& span : lane.spans)
      table.rows.push_back(
          {.cells = {
               {.text = lane.label}, {.text = span.label}, {.sort = span.start}, {.sort = span.length}}});
  return csvOf(table);
}
std::string csvOf(const CellMaps&) {
  return {};
}

}  // namespace

nlohmann::ordered_json figureJson(const Figure& figure) {
  return std::visit([](const auto& each) { return jsonOf(each); }, figure);
}

std::string figureCsv(const Figure& figure) {
  return std::visit([](const auto& each) { return csvOf(each); }, figure);
}

}  // namespace wb
