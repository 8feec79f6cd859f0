// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>

#include "core/base/quantity.h"
#include "core/figures/charts/scale.h"
#include "core/report/formats.h"
#include "core/report/svg/svg_picture.h"

namespace wb {
namespace {

using Anchor = SvgPicture::Anchor;

constexpr double pictureWidth = 860, edge = 20, top = 48, widestLabel = 300;
constexpr int mostTicks = 8;
/// More points than these are a crowd, drawn small and without names.
constexpr std::size_t crowd = 60;
constexpr std::size_t mostSpans = 2000;

std::string barColour(Tone tone) {
  return tone == Tone::good ? "good" : tone == Tone::bad ? "bad" : "same";
}
std::string seriesColour(std::size_t number) {
  return "s" + std::to_string(number % 8);
}

/// The part of a picture in which things are drawn.
struct Area {
  double left = 0, top = 0, width = 0, height = 0;
  [[nodiscard]] double right() const { return left + width; }
  [[nodiscard]] double bottom() const { return top + height; }
  [[nodiscard]] double x(const Scale& scale, double value) const { return left + width * scale.at(value); }
  [[nodiscard]] double y(const Scale& scale, double value) const {
    return bottom() - height * scale.at(value);
  }
};

template <class Rows, class Label>
double roomFor(const Rows& rows, const Label& label) {
  double widest = 0;
  for (const auto& row : rows) widest = std::max(widest, widthOf(label(row)));
  return std::min(widest, widestLabel);
}

/// The grid and the marks of an axis below an area.
void drawAxis(SvgPicture& picture, const Area& area, const Scale& scale, const std::string& title,
              std::string_view unit) {
  for (const Tick& tick : ticksOf(scale, unit, mostTicks)) {
    const double x = area.x(scale, tick.value);
    picture.line(x, area.top, x, area.bottom(), "grid");
    picture.text(x, area.bottom() + 18, tick.text, Anchor::middle);
  }
  picture.text(area.left + area.width / 2, area.bottom() + 40, title, Anchor::middle);
}

std::string drawn(const BarChart& chart) {
  if (!chart.empty.empty()) return {};
  constexpr double rowHeight = 27, barHeight = 13, whisker = 4;
  const double labels = roomFor(chart.bars, [](const Bar& bar) { return bar.label; });
  const double texts = roomFor(chart.bars, [](const Bar& bar) { return bar.text; });
  const Area area{edge + labels + 10, top, pictureWidth - 2 * edge - labels - texts - 24,
                  rowHeight * static_cast<double>(chart.bars.size())};
  SvgPicture picture(pictureWidth);
  const Scale scale = scaleOf(chart);
  drawAxis(picture, area, scale, chart.axis, chart.linear ? "%" : "×");
  const auto within = [&](double value) { return std::clamp(area.x(scale, value), area.left, area.right()); };
  const double base = within(chart.base);
  for (std::size_t i = 0; i < chart.bars.size(); ++i) {
    const Bar& bar = chart.bars[i];
    const double middle = area.top + rowHeight * (static_cast<double>(i) + 0.5), end = within(bar.value);
    const std::string colour = chart.linear && bar.tone == Tone::muted ? "line" : barColour(bar.tone);
    picture.text(area.left - 10, middle + 4, shortened(bar.label, labels), Anchor::end, "text");
    picture.rectangle(std::min(base, end), middle - barHeight / 2, std::abs(end - base), barHeight, colour,
                      bar.label + ": " + bar.text);
    picture.text(area.right() + 12, middle + 4, bar.text, Anchor::start, "text strong");
    if (!(bar.low > 0 && bar.low < bar.high)) continue;
    picture.line(within(bar.low), middle, within(bar.high), middle, "text");
    const Clipped cut = clipped(bar.low, bar.high, scale);
    for (const auto& [value, isCut] : {std::pair{bar.low, cut.low}, {bar.high, cut.high}})
      if (!isCut) picture.line(within(value), middle - whisker, within(value), middle + whisker, "text");
  }
  picture.line(base, area.top, base, area.bottom(), "soft");
  return picture.whole(chart.title, area.bottom() + 56);
}

/// Puts names where nothing else stands.
class Names {
 public:
  Names(SvgPicture& picture, const Area& area) : picture_(picture), area_(area) {}
  void take(double x, double y) { taken_.push_back({x - 7, y - 7, 14, 14}); }
  /// The first of the places that is free; a name that would cover something is left out.
  void put(const std::string& name, const std::vector<std::pair<double, double>>& places,
           std::string_view classes) {
    for (const auto& [left, middle] : places) {
      const Area box{left, middle - 7, widthOf(name), 14};
      const bool isInside = box.left >= area_.left && box.right() <= area_.right() && box.top >= area_.top &&
                            box.bottom() <= area_.bottom();
      const auto covers = [&](const Area& other) {
        return box.left < other.right() && box.right() > other.left && box.top < other.bottom() &&
               box.bottom() > other.top;
      };
      if (!isInside || std::ranges::any_of(taken_, covers)) continue;
      taken_.push_back(box);
      return picture_.text(left, middle + 4, name, Anchor::start, classes);
    }
  }

 private:
  SvgPicture& picture_;
  const Area& area_;
  std::vector<Area> taken_;
};

std::string lineColour(const ChartLine& line) {
  if (line.series >= 0) return seriesColour(static_cast<std::size_t>(line.series));
  return line.dashed ? "soft" : "text";
}

void drawPoints(SvgPicture& picture, const Area& area, const PlaneChart& chart, const Scale& x,
                const Scale& y) {
  const bool isCrowd = chart.points.size() > crowd;
  for (const ChartPoint& point : chart.points) {
    const bool hasSeries = point.series >= 0;
    const std::string colour = hasSeries ? seriesColour(static_cast<std::size_t>(point.series)) : "";
    const double left = area.x(x, point.x);
    if (point.low < point.high)
      picture.line(left, area.y(y, point.low), left, area.y(y, point.high), hasSeries ? colour : "text");
    picture.dot(left, area.y(y, point.y), isCrowd ? 2 : 5, hasSeries ? colour : barColour(point.tone),
                point.detail.empty() ? point.label : point.detail);
  }
  for (const ChartArrow& arrow : chart.arrows) {
    const ChartPoint &from = chart.points[arrow.from], &to = chart.points[arrow.to];
    picture.line(area.x(x, from.x), area.y(y, from.y), area.x(x, to.x), area.y(y, to.y), "text");
  }
}

void drawNames(SvgPicture& picture, const Area& area, const PlaneChart& chart, const Scale& x,
               const Scale& y) {
  Names names(picture, area);
  const bool isCrowd = chart.points.size() > crowd;
  for (const ChartPoint& point : chart.points)
    if (!isCrowd) names.take(area.x(x, point.x), area.y(y, point.y));
  for (const ChartPoint& point : chart.points) {
    if (point.label.empty()) continue;
    const double left = area.x(x, point.x), middle = area.y(y, point.y), width = widthOf(point.label);
    names.put(point.label,
              {{left + 10, middle},
               {left - 10 - width, middle},
               {left - width / 2, middle - 17},
               {left - width / 2, middle + 17},
               {left + 10, middle - 17},
               {left + 10, middle + 17}},
              "text strong rim");
  }
  for (const ChartLine& line : chart.lines) {
    if (line.label.empty() || line.points.size() < 2) continue;
    // Of a curve the name stands at its last stretch.
    const bool isCurve = line.series >= 0 && !line.dashed;
    const auto& start = line.points[isCurve ? line.points.size() - 2 : 0];
    const auto& end = line.points.back();
    const double fromX = area.x(x, start.first), toX = area.x(x, end.first);
    const double fromY = area.y(y, start.second), toY = area.y(y, end.second), width = widthOf(line.label);
    std::vector<std::pair<double, double>> places;
    if (isCurve)
      places = {
          {toX + 10, toY}, {toX - width, toY - 16}, {toX - width / 2, toY + 16}, {toX - width, toY + 16}};
    constexpr int steps = 14;
    for (int step = 0; step < steps; ++step) {
      const double part = (fromY == toY ? 1 - 0.06 * step : 0.12 + 0.06 * step);
      const double at = std::clamp(fromX + part * (toX - fromX), area.left + 4, area.right() - width - 4);
      const double level =
          fromY + (at + width / 2 - fromX) / (toX == fromX ? 1 : toX - fromX) * (toY - fromY);
      places.insert(places.end(), {{at, level - 10}, {at, level + 11}});
    }
    names.put(line.label, places, line.series >= 0 ? "rim f-" + lineColour(line) : "rim soft");
  }
}

std::string drawn(const PlaneChart& chart) {
  if (!chart.empty.empty()) return {};
  constexpr double height = 380;
  const auto [scaleX, scaleY] = scalesOf(chart);
  const std::vector<Tick> ticks = ticksOf(scaleY, chart.y.unit, mostTicks);
  const double marks = roomFor(ticks, [](const Tick& tick) { return tick.text; });
  const Area area{edge + marks + 10, top + 20, pictureWidth - 2 * edge - marks - 10, height};
  SvgPicture picture(pictureWidth);
  picture.text(edge, top + 4, chart.y.title);
  for (const Tick& tick : ticks) {
    const double y = area.y(scaleY, tick.value);
    picture.line(area.left, y, area.right(), y, "grid");
    picture.text(area.left - 8, y + 4, tick.text, Anchor::end);
  }
  drawAxis(picture, area, scaleX, chart.x.title, chart.x.unit);
  picture.beginClip(area.left, area.top, area.width, area.height);
  for (const ChartLine& line : chart.lines) {
    std::vector<std::pair<double, double>> points;
    for (const auto& [x, y] : line.points) points.emplace_back(area.x(scaleX, x), area.y(scaleY, y));
    picture.path(points, lineColour(line), line.dashed);
  }
  drawPoints(picture, area, chart, scaleX, scaleY);
  picture.endClip();
  drawNames(picture, area, chart, scaleX, scaleY);
  return picture.whole(chart.title, area.bottom() + 56);
}

/// Rows of a label, a track and a sum, and what is drawn in each track.
template <class Row, class Draw>
Area drawTracks(SvgPicture& picture, const std::vector<Row>& rows, double sums, const Draw& draw) {
  constexpr double rowHeight = 30, trackHeight = 20;
  const double labels = roomFor(rows, [](const Row& row) { return row.label; });
  const Area all{edge + labels + 10, top, pictureWidth - 2 * edge - labels - sums - 20,
                 rowHeight * static_cast<double>(rows.size())};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Area track{all.left, top + rowHeight * static_cast<double>(i), all.width, trackHeight};
    picture.text(track.left - 10, track.top + 14, shortened(rows[i].label, labels), Anchor::end, "text");
    picture.rectangle(track.left, track.top, track.width, track.height, "track");
    picture.text(track.right() + 10, track.top + 14, draw(rows[i], track));
  }
  return all;
}

std::string drawn(const TimeChart& chart) {
  if (chart.lanes.empty()) return {};
  double end = 1e-9;
  for (const Lane& lane : chart.lanes)
    for (const Span& span : lane.spans) end = std::max(end, span.start + span.length);
  SvgPicture picture(pictureWidth);
  const Area all = drawTracks(picture, chart.lanes, 110, [&](const Lane& lane, const Area& track) {
    double busy = 0;
    for (std::size_t i = 0; i < lane.spans.size(); ++i) {
      const Span& span = lane.spans[i];
      busy += span.length;
      if (i >= mostSpans) continue;  // they cannot be told apart; JSON and CSV have them all
      const double left = track.left + track.width * span.start / end,
                   width = track.width * span.length / end;
      const std::string colour = span.tone == Tone::warning ? "warning"
                                 : span.tone == Tone::muted ? "line"
                                                            : barColour(span.tone);
      picture.rectangle(left, track.top + 2, std::max(1.0, width), track.height - 4, colour,
                        span.label + "\n" + span.detail);
      if (widthOf(span.label) + 8 < width)
        picture.text(left + 5, track.top + 14, span.label, Anchor::start,
                     span.tone == Tone::muted ? "soft" : "light");
    }
    return formatCount(static_cast<std::int64_t>(lane.spans.size())) + " · " + formatSeconds(busy);
  });
  for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0})
    picture.text(all.left + part * all.width, all.bottom() + 12, formatSeconds(part * end), Anchor::middle);
  return picture.whole(chart.title, all.bottom() + 30);
}

std::string drawn(const StackChart& chart) {
  if (chart.rows.empty()) return {};
  std::vector<std::string> colours;
  std::size_t number = 0;
  for (const StackKey& key : chart.keys)
    colours.push_back(key.tone == Tone::neutral ? seriesColour(number++)
                      : key.tone == Tone::muted ? "same"
                      : key.tone == Tone::good  ? "useful"
                                                : barColour(key.tone));
  SvgPicture picture(pictureWidth);
  const Area all = drawTracks(picture, chart.rows, 60, [&](const StackRow& row, const Area& track) {
    double sum = 0;
    for (std::size_t k = 0; k < row.shares.size(); ++k) {
      if (row.shares[k] > 0)
        picture.rectangle(track.left + sum * track.width, track.top, row.shares[k] * track.width,
                          track.height, colours[k], chart.keys[k].label + " " + formatPercent(row.shares[k]));
      sum += row.shares[k];
    }
    return formatPercent(sum);
  });
  constexpr double keyHeight = 22, keyWidth = 270;
  constexpr std::size_t columns = 3;
  for (std::size_t k = 0; k < chart.keys.size(); ++k) {
    const double left = edge + keyWidth * static_cast<double>(k % columns);
    const std::size_t line = k / columns;
    const double y = all.bottom() + 14 + keyHeight * static_cast<double>(line);
    picture.rectangle(left, y, 11, 11, colours[k], chart.keys[k].meaning);
    picture.text(left + 18, y + 10, shortened(chart.keys[k].label, keyWidth - 30));
  }
  const std::size_t lines = (chart.keys.size() + columns - 1) / columns;
  return picture.whole(chart.title, all.bottom() + 24 + keyHeight * static_cast<double>(lines));
}

template <class Other>
std::string drawn(const Other&) {
  return {};
}

}  // namespace

std::string svgFigure(const Figure& figure) {
  return std::visit([](const auto& each) { return drawn(each); }, figure);
}

}  // namespace wb
