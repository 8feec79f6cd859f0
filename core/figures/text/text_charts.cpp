// SPDX-License-Identifier: Apache-2.0
#include "core/figures/text/text_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/figures/charts/scale.h"
#include "core/figures/text/text_parts.h"
#include "core/figures/text/text_width.h"

namespace wb {

namespace {

constexpr std::string_view gap = textGap;

/// Maps values to columns (or rows) of an axis.
struct Axis {
  Scale scale;
  std::size_t columns = 40;
  [[nodiscard]] std::size_t at(double value) const {
    return static_cast<std::size_t>(
        std::lround(std::clamp(scale.at(value), 0.0, 1.0) * static_cast<double>(columns - 1)));
  }
};

std::string barLine(const Bar& bar, double base, const Axis& axis, const TextStyle& style) {
  std::vector<std::string_view> cells(axis.columns, " ");
  const std::size_t zero = axis.at(base), value = axis.at(bar.value);
  for (std::size_t i = std::min(zero, value); i <= std::max(zero, value); ++i) cells[i] = "█";
  // The part that the interval leaves open is shaded; an arrow says that it goes on beyond the axis.
  if (bar.low > 0 && bar.low < bar.high) {
    const std::size_t low = axis.at(bar.low), high = axis.at(bar.high);
    for (std::size_t i = low; low < high && i <= high; ++i) cells[i] = "▒";
    const Clipped cut = clipped(bar.low, bar.high, axis.scale);
    if (cut.low) cells[low] = "◂";
    if (cut.high) cells[high] = "▸";
  }
  cells[zero] = "│";
  return coloured(joined(cells, ""), bar.tone, style);
}

/// The axis of the bars that are shown.
Axis axisOf(const BarChart& chart, std::size_t shown) {
  if (shown == chart.bars.size()) return {scaleOf(chart), 40};
  BarChart part = chart;
  part.bars.resize(shown);
  return {scaleOf(part), 40};
}

}  // namespace

std::string chartText(const BarChart& chart, const TextStyle& style) {
  std::string text = bold(printable(chart.title), style) + "\n";
  if (chart.bars.empty()) return text + wrapped(printable(chart.empty), style.width);
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
constexpr std::size_t plotRows = 16, mostPlotColumns = 72, leastPlotColumns = 24;

/// A grid of characters between two axes.
class Plot {
 public:
  Plot(const PlaneChart& chart, const TextStyle& style) : chart_(chart), style_(style) {
    const auto [x, y] = scalesOf(chart);
    x_ = {x, mostPlotColumns};
    y_ = {y, plotRows};
    ticks_ = ticksOf(y, chart.y.unit, 6);
    for (const Tick& tick : ticks_) tickColumns_ = std::max(tickColumns_, displayWidth(tick.text));
    if (style.width > 0)
      x_.columns = std::clamp(style.width > tickColumns_ + 2 ? style.width - tickColumns_ - 2 : 0,
                              leastPlotColumns, mostPlotColumns);
    cells_.assign(y_.columns, std::vector<std::string>(x_.columns, " "));
    for (const ChartLine& line : chart.lines) draw(line);
    for (std::size_t p = 0; p < chart.points.size(); ++p)
      if (drawable(chart.points[p].x, chart.points[p].y))
        cell(chart.points[p].x, chart.points[p].y) =
            coloured(std::string(markOf(p)), chart.points[p].tone, style);
  }

  [[nodiscard]] std::string text() const {
    std::string text;
    std::vector<std::string> ticks(y_.columns);
    for (const Tick& tick : ticks_) ticks[y_.columns - 1 - y_.at(tick.value)] = tick.text;
    for (std::size_t row = 0; row < y_.columns; ++row) {
      std::string line = padded(ticks[row], tickColumns_, true) + " │";
      for (const std::string& one : cells_[row]) line += one;
      while (line.ends_with(' ')) line.pop_back();
      text += line + "\n";
    }
    text += std::string(tickColumns_ + 1, ' ') + "└";
    for (std::size_t i = 0; i < x_.columns; ++i) text += "─";
    text += "\n" + xTicks();
    const std::string axes = chart_.x.title + " → " + chart_.y.title + " ↑";
    return text + (style_.width > 0 ? truncated(axes, style_.width) : axes) + "\n";
  }
  /// The mark of a point: that of its series where it has one.
  [[nodiscard]] std::string_view markOf(std::size_t point) const {
    const int series = chart_.points[point].series;
    return marks[(series < 0 ? point : static_cast<std::size_t>(series)) % marks.size()];
  }

 private:
  [[nodiscard]] static bool drawable(double value, const Axis& axis) {
    return std::isfinite(value) && (value > 0 || !axis.scale.logarithmic);
  }
  [[nodiscard]] bool drawable(double x, double y) const { return drawable(x, x_) && drawable(y, y_); }

  std::string& cell(double x, double y) { return cells_[y_.columns - 1 - y_.at(y)][x_.at(x)]; }

  /// Draws a line with one character per column; `dashed` leaves out every other one.
  void draw(const ChartLine& line) {
    for (std::size_t i = 1; i < line.points.size(); ++i) {
      const auto [x0, y0] = line.points[i - 1];
      const auto [x1, y1] = line.points[i];
      if (!drawable(x0, y0) || !drawable(x1, y1)) continue;
      const bool flat = y0 == y1;
      const double from = y_.scale.at(y0), to = y_.scale.at(y1);
      for (std::size_t column = x_.at(x0); column <= x_.at(x1); ++column) {
        const double part = x1 == x0 ? 0
                                     : (static_cast<double>(column) - static_cast<double>(x_.at(x0))) /
                                           std::max<double>(1, static_cast<double>(x_.at(x1) - x_.at(x0)));
        const double y = y_.scale.valueAt(from + (to - from) * part);
        if (line.dashed && column % 2 == 1) continue;
        std::string& one = cells_[y_.columns - 1 - y_.at(y)][column];
        if (one == " ") one = coloured(line.dashed ? "·" : flat ? "─" : "/", Tone::muted, style_);
      }
    }
  }

  [[nodiscard]] std::string xTicks() const {
    std::string line(tickColumns_ + 2, ' ');
    for (const Tick& tick : ticksOf(x_.scale, chart_.x.unit, 6)) {
      const std::size_t column = tickColumns_ + 2 + x_.at(tick.value);
      if (column < displayWidth(line) || column + displayWidth(tick.text) > tickColumns_ + 2 + x_.columns)
        continue;
      line = padded(line, column) + tick.text + " ";
    }
    while (line.ends_with(' ')) line.pop_back();
    return line + "\n";
  }

  const PlaneChart& chart_;
  const TextStyle& style_;
  Axis x_, y_;
  std::vector<Tick> ticks_;
  std::size_t tickColumns_ = 6;
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

/// The points that are told one by one: those with a name. A crowd is told by its series.
std::string pointsText(const PlaneChart& chart, const Plot& plot, const TextStyle& style) {
  std::vector<std::size_t> named;
  for (std::size_t p = 0; p < chart.points.size(); ++p)
    if (!chart.points[p].label.empty()) named.push_back(p);
  std::string text;
  const std::size_t shown = shownRows(named.size(), style);
  for (std::size_t i = 0; i < shown; ++i) {
    // The detail begins with the label.
    const ChartPoint& point = chart.points[named[i]];
    const std::string& words = point.detail.empty() ? point.label : point.detail;
    text += cut(fmt::format("{} {}", plot.markOf(named[i]), oneLine(words)), style) + "\n";
  }
  return text + leftOut(named.size(), shown);
}

}  // namespace

std::string chartText(const PlaneChart& chart, const TextStyle& style) {
  std::string text = bold(printable(chart.title), style) + "\n";
  if (chart.points.empty() && chart.lines.empty()) return text + wrapped(printable(chart.empty), style.width);
  const Plot plot(chart, style);
  text += plot.text() + pointsText(chart, plot, style);
  std::string ground;
  for (const ChartLine& line : chart.lines) {
    if (line.label.empty()) continue;
    if (line.series >= 0)
      text += cut(fmt::format("{} {}", marks[static_cast<std::size_t>(line.series) % marks.size()],
                              printable(line.label)),
                  style) +
              "\n";
    else
      ground += (ground.empty() ? "" : " · ") + printable(line.label);
  }
  if (!ground.empty()) text += coloured(cut("Lines: " + ground, style), Tone::muted, style) + "\n";
  return text;
}

std::string chartText(const TimeChart& chart, const TextStyle& style) {
  std::string text = bold(cut(printable(chart.title), style), style) + "\n";
  if (chart.lanes.empty()) return text + wrapped(printable(chart.empty), style.width);
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
