// SPDX-License-Identifier: Apache-2.0
#include "core/figures/text/text_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/figures/text/text_parts.h"
#include "core/figures/text/text_width.h"

namespace wb {

namespace {

constexpr std::string_view gap = textGap;

/// Maps values to columns (or rows) of an axis.
struct Axis {
  double low = 0.5, high = 2;
  std::size_t columns = 40;
  bool linear = false;
  [[nodiscard]] std::size_t at(double value) const {
    const double part = linear ? (value - low) / (high - low) : std::log(value / low) / std::log(high / low);
    return static_cast<std::size_t>(
        std::lround(std::clamp(part, 0.0, 1.0) * static_cast<double>(columns - 1)));
  }
};

std::string barLine(const Bar& bar, double base, const Axis& axis, const TextStyle& style) {
  std::vector<std::string_view> cells(axis.columns, " ");
  const std::size_t zero = axis.at(base), value = axis.at(bar.value);
  for (std::size_t i = std::min(zero, value); i <= std::max(zero, value); ++i) cells[i] = "█";
  // The part that the interval leaves open is shaded.
  const std::size_t low = axis.at(bar.low), high = axis.at(bar.high);
  for (std::size_t i = low; bar.low > 0 && low < high && i <= high; ++i) cells[i] = "▒";
  cells[zero] = "│";
  return coloured(joined(cells, ""), bar.tone, style);
}

Axis axisOf(const BarChart& chart, std::size_t shown) {
  Axis axis{chart.base / 1.25, chart.base * 1.25, 40, chart.linear};
  if (chart.linear) axis.low = axis.high = chart.base;
  for (std::size_t b = 0; b < shown; ++b) {
    const Bar& bar = chart.bars[b];
    axis.low = std::min(axis.low, bar.low > 0 ? std::min(bar.low, bar.value) : bar.value);
    axis.high = std::max(axis.high, bar.low > 0 ? std::max(bar.high, bar.value) : bar.value);
  }
  if (axis.high <= axis.low) axis.high = axis.low + 1;
  return axis;
}

}  // namespace

std::string chartText(const BarChart& chart, const TextStyle& style) {
  std::string text = bold(printable(chart.title), style) + "\n";
  if (chart.bars.empty()) return text + printable(chart.empty) + "\n";
  const std::size_t shown = shownRows(chart.bars.size(), style);
  Axis axis = axisOf(chart, shown);
  std::size_t labels = 0, values = 0;
  for (std::size_t b = 0; b < shown; ++b) {
    labels = std::max(labels, displayWidth(chart.bars[b].label));
    values = std::max(values, displayWidth(chart.bars[b].text));
  }
  if (style.width > 0) {
    const std::size_t fixed = values + 2 * gap.size();
    // Reasons in words need more room than names; ten columns are left for the bar.
    labels = std::min(
        labels, chart.linear ? std::max<std::size_t>(style.width, fixed + 20) - fixed - 10 : style.width / 2);
    const std::size_t left = style.width > fixed + labels ? style.width - fixed - labels : 0;
    axis.columns = std::clamp<std::size_t>(left, 10, 60);
  }
  for (std::size_t b = 0; b < shown; ++b) {
    const Bar& bar = chart.bars[b];
    text.append(padded(truncated(printable(bar.label), labels), labels)).append(gap);
    text.append(barLine(bar, chart.base, axis, style)).append(gap);
    text.append(coloured(padded(bar.text, values, true), bar.tone, style)).append("\n");
  }
  return text + leftOut(chart.bars.size(), shown);
}

namespace {

constexpr std::array<std::string_view, 8> marks = {"●", "○", "◆", "◇", "▲", "△", "■", "□"};
constexpr std::size_t plotRows = 16, mostPlotColumns = 72, leastPlotColumns = 24, tickColumns = 7;

/// A grid of characters between two logarithmic axes.
class Plot {
 public:
  Plot(const PlaneChart& chart, const TextStyle& style) : chart_(chart), style_(style) {
    bounds();
    if (style.width > 0)
      x_.columns = std::clamp(style.width > tickColumns + 2 ? style.width - tickColumns - 2 : 0,
                              leastPlotColumns, mostPlotColumns);
    cells_.assign(y_.columns, std::vector<std::string>(x_.columns, " "));
    for (const ChartLine& line : chart.lines) draw(line);
    for (std::size_t p = 0; p < chart.points.size(); ++p)
      if (drawable(chart.points[p].x, chart.points[p].y))
        cell(chart.points[p].x, chart.points[p].y) =
            coloured(std::string(marks[p % marks.size()]), chart.points[p].tone, style);
  }

  [[nodiscard]] std::string text() const {
    std::string text;
    std::vector<std::string> ticks(y_.columns);
    for (double value = decade(y_.low); value <= y_.high * 1.001; value *= 10)
      if (value >= y_.low * 0.999) ticks[y_.columns - 1 - y_.at(value)] = formatScaled(value, "");
    for (std::size_t row = 0; row < y_.columns; ++row) {
      std::string line = padded(ticks[row], tickColumns, true) + " │";
      for (const std::string& one : cells_[row]) line += one;
      while (line.ends_with(' ')) line.pop_back();
      text += line + "\n";
    }
    text += std::string(tickColumns + 1, ' ') + "└";
    for (std::size_t i = 0; i < x_.columns; ++i) text += "─";
    text += "\n" + xTicks();
    const std::string axes = chart_.xAxis + " → " + chart_.yAxis + " ↑";
    return text + (style_.width > 0 ? truncated(axes, style_.width) : axes) + "\n";
  }

 private:
  static bool drawable(double x, double y) { return std::isfinite(x) && std::isfinite(y) && x > 0 && y > 0; }
  static double decade(double value) { return std::pow(10, std::floor(std::log10(value))); }

  void bounds() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    x_ = {infinity, 0, mostPlotColumns, false};
    y_ = {infinity, 0, plotRows, false};
    const auto take = [this](double x, double y) {
      if (!drawable(x, y)) return;
      x_.low = std::min(x_.low, x);
      x_.high = std::max(x_.high, x);
      y_.low = std::min(y_.low, y);
      y_.high = std::max(y_.high, y);
    };
    for (const ChartLine& line : chart_.lines)
      for (const auto& [x, y] : line.points) take(x, y);
    for (const ChartPoint& point : chart_.points) take(point.x, point.y);
    for (Axis* axis : {&x_, &y_}) {
      if (axis->high <= 0) axis->low = axis->high = 1;
      if (axis->high < axis->low * 10) {
        axis->low /= 2;
        axis->high *= 5;
      }
    }
    y_.high *= 2;
  }

  std::string& cell(double x, double y) { return cells_[y_.columns - 1 - y_.at(y)][x_.at(x)]; }

  /// Draws a line with one character per column; `dashed` leaves out every other one.
  void draw(const ChartLine& line) {
    for (std::size_t i = 1; i < line.points.size(); ++i) {
      const auto [x0, y0] = line.points[i - 1];
      const auto [x1, y1] = line.points[i];
      if (!drawable(x0, y0) || !drawable(x1, y1)) continue;
      const bool flat = y0 == y1;
      for (std::size_t column = x_.at(x0); column <= x_.at(x1); ++column) {
        const double part = x1 == x0 ? 0
                                     : (static_cast<double>(column) - static_cast<double>(x_.at(x0))) /
                                           std::max<double>(1, static_cast<double>(x_.at(x1) - x_.at(x0)));
        const double y = y0 * std::pow(y1 / y0, part);
        if (line.dashed && column % 2 == 1) continue;
        std::string& one = cells_[y_.columns - 1 - y_.at(y)][column];
        if (one == " ") one = coloured(line.dashed ? "·" : flat ? "─" : "/", Tone::muted, style_);
      }
    }
  }

  [[nodiscard]] std::string xTicks() const {
    std::string line(tickColumns + 2, ' ');
    for (double value = decade(x_.low); value <= x_.high * 1.001; value *= 10) {
      if (value < x_.low * 0.999) continue;
      const std::size_t column = tickColumns + 2 + x_.at(value);
      const std::string tick = fmt::format("{:g}", value);
      if (column < displayWidth(line) || column + tick.size() > tickColumns + 2 + x_.columns) continue;
      line = padded(line, column) + tick + " ";
    }
    while (line.ends_with(' ')) line.pop_back();
    return line + "\n";
  }

  const PlaneChart& chart_;
  const TextStyle& style_;
  Axis x_, y_;
  std::vector<std::vector<std::string>> cells_;
};

std::string oneLine(std::string_view detail) {
  std::string text;
  for (const char c : detail) {
    if (c == '\n')
      text += " · ";
    else
      text += c;
  }
  return printable(text);
}

std::string cut(std::string text, const TextStyle& style) {
  return style.width > 0 ? truncated(text, style.width) : text;
}

}  // namespace

std::string chartText(const PlaneChart& chart, const TextStyle& style) {
  std::string text = bold(printable(chart.title), style) + "\n";
  if (chart.points.empty() && chart.lines.empty()) return text + printable(chart.empty) + "\n";
  text += Plot(chart, style).text();
  const std::size_t shown = shownRows(chart.points.size(), style);
  for (std::size_t p = 0; p < shown; ++p) {
    // The detail begins with the label.
    const ChartPoint& point = chart.points[p];
    const std::string& words = point.detail.empty() ? point.label : point.detail;
    text += cut(fmt::format("{} {}", marks[p % marks.size()], oneLine(words)), style) + "\n";
  }
  text += leftOut(chart.points.size(), shown);
  std::string roofs;
  for (const ChartLine& line : chart.lines) roofs += (roofs.empty() ? "" : " · ") + printable(line.label);
  if (!roofs.empty()) text += coloured(cut("Roofs: " + roofs, style), Tone::muted, style) + "\n";
  return text;
}

std::string chartText(const TimeChart& chart, const TextStyle& style) {
  std::string text = bold(cut(printable(chart.title), style), style) + "\n";
  if (chart.lanes.empty()) return text + printable(chart.empty) + "\n";
  double end = 0;
  std::size_t labels = 0;
  for (const Lane& lane : chart.lanes) {
    labels = std::max(labels, displayWidth(printable(lane.label)));
    for (const Span& span : lane.spans) end = std::max(end, span.start + span.length);
  }
  if (end <= 0) end = 1e-9;
  constexpr std::size_t sums = 20;
  std::size_t columns = 60;
  if (style.width > 0)
    columns = std::clamp<std::size_t>(
        style.width > labels + sums + 2 * gap.size() ? style.width - labels - sums - 2 * gap.size() : 0, 10,
        80);
  const auto column = [&](double seconds) {
    return std::min(columns - 1,
                    static_cast<std::size_t>(std::max(0.0, seconds / end * static_cast<double>(columns))));
  };
  for (const Lane& lane : chart.lanes) {
    std::vector<std::string> cells(columns, " ");
    double busy = 0;
    bool other = false;
    for (const Span& span : lane.spans) {
      busy += span.length;
      const std::size_t first = column(span.start);
      // Spans without a gap between them are told apart by their shade.
      const std::size_t last = std::max(first, column(span.start + span.length * 0.999));
      for (std::size_t i = first; i <= last; ++i) cells[i] = coloured(other ? "▓" : "█", span.tone, style);
      other = !other;
    }
    std::string line = padded(printable(lane.label), labels) + std::string(gap);
    for (const std::string& cell : cells) line += cell;
    line += fmt::format("{}{} · {}", gap, lane.spans.size(), formatSeconds(busy));
    text += line + "\n";
  }
  return text + padded("", labels) + std::string(gap) +
         padded("0", columns - std::min(columns, displayWidth(formatSeconds(end)))) + formatSeconds(end) +
         "\n";
}

std::string chartText(const CellMaps& maps, const TextStyle& style) {
  constexpr std::int64_t mostRows = 16, mostColumns = 64;
  constexpr std::array<std::string_view, 5> shades = {"·", "░", "▒", "▓", "█"};
  std::string text;
  const std::size_t shown = shownRows(maps.maps.size(), style);
  for (std::size_t m = 0; m < shown; ++m) {
    const CellMap& map = maps.maps[m];
    if (m > 0) text += "\n";
    text += bold(cut(printable(map.title), style), style) + "\n" + printable(map.words) + "\n";
    const MapSlice slice = reduced(sliceOf(map), mostRows, mostColumns);
    std::array<bool, shades.size()> used{};
    for (std::int64_t row = 0; row < slice.rows; ++row) {
      for (std::int64_t column = 0; column < slice.columns; ++column) {
        const char letter = slice.at(row, column);
        const auto shade = static_cast<std::size_t>(shadeOf(letter));
        used[shade] = true;
        text += letter == ' '
                    ? " "
                    : coloured(std::string(shades[shade]), shade > 0 ? Tone::bad : Tone::muted, style);
      }
      text += "\n";
    }
    std::string meaning;
    for (std::size_t shade = 1; shade < shades.size(); ++shade)
      if (used[shade])
        meaning +=
            fmt::format("{}{} {}", meaning.empty() ? "" : "   ", shades[shade], shadeMeanings[shade - 1]);
    text += coloured(cut(meaning, style), Tone::muted, style) + "\n";
  }
  if (maps.maps.empty()) text += printable(maps.empty) + "\n";
  return text + leftOut(maps.maps.size(), shown);
}

}  // namespace wb
