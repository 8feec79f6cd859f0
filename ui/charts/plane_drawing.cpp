// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plane_drawing.h"

#include <QFontMetricsF>
#include <QLineF>
#include <QPolygonF>
#include <QTransform>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "ui/charts/chart_colors.h"
#include "ui/style/fonts.h"

namespace wb {
namespace {

constexpr double bottomRoom = 44, rightRoom = 18, topRoom = 14, edge = 10;
/// From so many points on they are a crowd, drawn small.
constexpr std::size_t crowd = 60;

bool isDrawable(double value, const Scale& scale) {
  return std::isfinite(value) && (value > 0 || !scale.logarithmic);
}

/// The part of a line that is inside the plot; a null line where none is.
QLineF inside(const QLineF& line, const QRectF& plot) {
  double from = 0, to = 1;
  const auto cut = [&](double start, double step, double low, double high) {
    if (std::abs(step) < 1e-9) return start >= low - 0.5 && start <= high + 0.5;
    double a = (low - start) / step, b = (high - start) / step;
    if (a > b) std::swap(a, b);
    from = std::max(from, a), to = std::min(to, b);
    return from < to;
  };
  if (!cut(line.x1(), line.dx(), plot.left(), plot.right()) ||
      !cut(line.y1(), line.dy(), plot.top(), plot.bottom()))
    return {};
  return {line.pointAt(from), line.pointAt(to)};
}

}  // namespace

PlaneDrawing::PlaneDrawing(const PlaneChart& chart) : chart_(chart), home_(scalesOf(chart)) {}

double PlaneDrawing::radius() const {
  return chart_.points.size() > crowd ? 2.2 : 5.5;
}

QMarginsF PlaneDrawing::margins(QSizeF) const {
  const QFontMetricsF metrics(textFont(11));
  double widest = 24;
  for (const Tick& tick : ticksOf(home().second, chart_.y.unit, 8))
    widest = std::max(widest, metrics.horizontalAdvance(qtText(tick.text)) + 12);
  // Deeper marks are longer: "1.0005×" where "1×" was.
  return {widest + edge + 22, topRoom, rightRoom, bottomRoom};
}

QPointF PlaneDrawing::pointAt(int point, const Canvas& canvas) const {
  const ChartPoint& one = chart_.points[size_t(point)];
  if (!isDrawable(one.x, canvas.x) || !isDrawable(one.y, canvas.y)) return {-1e6, -1e6};
  return canvas.at(one.x, one.y);
}

QColor PlaneDrawing::colorOf(const ChartPoint& point, const Theme& theme) const {
  if (point.series >= 0) return seriesColor(theme, point.series);
  switch (point.tone) {
    case Tone::good:
      return theme.accent;
    case Tone::warning:
      return theme.warning;
    case Tone::bad:
      return theme.bad;
    case Tone::muted:
    case Tone::neutral:
      break;
  }
  return point.tone == Tone::neutral && !chart_.arrows.empty() ? theme.muted : theme.secondary;
}

QColor PlaneDrawing::colorOf(const ChartLine& line, const Theme& theme) const {
  if (line.series >= 0) return seriesColor(theme, line.series);
  return line.dashed ? theme.muted : theme.secondary;
}

void PlaneDrawing::paint(QPainter& painter, const Canvas& canvas) const {
  paintAxes(painter, canvas);
  painter.save();
  painter.setClipRect(canvas.plot.adjusted(-1, -1, 1, 1), Qt::IntersectClip);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const ChartLine& line : chart_.lines) paintLine(painter, canvas, line);
  for (const ChartArrow& arrow : chart_.arrows) paintArrow(painter, canvas, arrow);
  if (chart_.points.size() > crowd) paintCrowd(painter, canvas);
  // The first point, which is the candidate's, lies above the others.
  for (int i = marks() - 1; i >= 0; --i)
    if (chart_.points.size() <= crowd || !isPlain(i, canvas)) paintPoint(painter, canvas, i);
  // Names come last, and none of them on a point.
  std::vector<QRectF> taken;
  if (chart_.points.size() <= crowd)
    for (int i = 0; i < marks(); ++i)
      taken.push_back(QRectF(pointAt(i, canvas) - QPointF(8, 8), QSizeF(16, 16)));
  for (int i = 0; i < marks(); ++i)
    if (!chart_.points[size_t(i)].label.empty()) paintPointName(painter, canvas, i, taken);
  for (const ChartLine& line : chart_.lines)
    if (!line.label.empty()) paintLineName(painter, canvas, line, taken);
  painter.restore();
}

void PlaneDrawing::paintAxes(QPainter& painter, const Canvas& canvas) const {
  const QRectF& plot = canvas.plot;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setFont(textFont(11));
  double freeFrom = canvas.all.left();
  for (const Tick& tick : ticksOf(canvas.x, chart_.x.unit, mostTicks(plot.width(), 72))) {
    const double x = std::floor(canvas.atX(tick.value)) + 0.5;
    painter.setPen(QPen(canvas.theme.grid, 1));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    const QString text = qtText(tick.text);
    const double width = painter.fontMetrics().horizontalAdvance(text);
    if (x - width / 2 < freeFrom) continue;
    freeFrom = x + width / 2 + 8;
    painter.setPen(canvas.theme.secondary);
    painter.drawText(QRectF(x - width / 2 - 4, plot.bottom() + 4, width + 8, 16), Qt::AlignCenter, text);
  }
  for (const Tick& tick : ticksOf(canvas.y, chart_.y.unit, mostTicks(plot.height(), 34))) {
    const double y = std::floor(canvas.atY(tick.value)) + 0.5;
    const bool isBase = chart_.y.unit == "×" && tick.value == 1;
    painter.setPen(QPen(isBase ? canvas.theme.muted : canvas.theme.grid, 1));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    painter.setPen(isBase ? canvas.theme.text : canvas.theme.secondary);
    painter.drawText(QRectF(canvas.all.left() + edge, y - 8, plot.left() - edge - 6 - canvas.all.left(), 16),
                     int(Qt::AlignRight | Qt::AlignVCenter), qtText(tick.text));
  }
  painter.setPen(QPen(canvas.theme.strongBorder, 1));
  painter.drawLine(plot.bottomLeft(), plot.bottomRight());
  painter.drawLine(plot.topLeft(), plot.bottomLeft());
  painter.setPen(canvas.theme.secondary);
  painter.drawText(
      QRectF(plot.left(), plot.bottom() + 22, plot.width(), 17), Qt::AlignCenter,
      painter.fontMetrics().elidedText(qtText(chart_.x.title), Qt::ElideRight, int(plot.width())));
  painter.translate(canvas.all.left() + edge - 2, plot.center().y());
  painter.rotate(-90);
  painter.drawText(
      QRectF(-plot.height() / 2, -4, plot.height(), 17), Qt::AlignCenter,
      painter.fontMetrics().elidedText(qtText(chart_.y.title), Qt::ElideRight, int(plot.height())));
  painter.restore();
}

void PlaneDrawing::paintLine(QPainter& painter, const Canvas& canvas, const ChartLine& line) const {
  QPolygonF path;
  for (const auto& [x, y] : line.points)
    if (isDrawable(x, canvas.x) && isDrawable(y, canvas.y)) path << canvas.at(x, y);
  if (path.size() < 2) return;
  QPen pen(colorOf(line, canvas.theme), line.dashed ? 1.1 : 1.6);
  if (line.dashed) pen.setDashPattern({5, 4});
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(path);
}

void PlaneDrawing::paintArrow(QPainter& painter, const Canvas& canvas, const ChartArrow& arrow) const {
  QLineF line(pointAt(int(arrow.from), canvas), pointAt(int(arrow.to), canvas));
  if (line.length() < 20) return;
  line = QLineF(line.pointAt(8 / line.length()), line.pointAt(1 - 9 / line.length()));
  painter.setPen(QPen(canvas.theme.text, 1.4));
  painter.drawLine(line);
  const QPointF along = (line.p2() - line.p1()) / line.length(), across(-along.y(), along.x());
  painter.setBrush(canvas.theme.text);
  painter.drawPolygon(
      QPolygonF({line.p2(), line.p2() - along * 9 - across * 4, line.p2() - along * 9 + across * 4}));
}

bool PlaneDrawing::isPlain(int index, const Canvas& canvas) const {
  const ChartPoint& point = chart_.points[size_t(index)];
  return index != canvas.highlighted && point.tone != Tone::warning && !(point.low < point.high);
}

/// Thousands of points are drawn at once, colour by colour.
void PlaneDrawing::paintCrowd(QPainter& painter, const Canvas& canvas) const {
  std::map<QRgb, QPolygonF> byColor;
  const QRectF seen = canvas.plot.adjusted(-4, -4, 4, 4);
  for (int i = 0; i < marks(); ++i)
    if (const QPointF at = pointAt(i, canvas); isPlain(i, canvas) && seen.contains(at))
      byColor[colorOf(chart_.points[size_t(i)], canvas.theme).rgba()] << at;
  for (const auto& [color, points] : byColor) {
    painter.setPen(QPen(QColor::fromRgba(color), 2 * radius(), Qt::SolidLine, Qt::RoundCap));
    painter.drawPoints(points);
  }
}

void PlaneDrawing::paintPoint(QPainter& painter, const Canvas& canvas, int index) const {
  const ChartPoint& point = chart_.points[size_t(index)];
  const QPointF at = pointAt(index, canvas);
  if (!canvas.plot.adjusted(-20, -20, 20, 20).contains(at)) return;
  const QColor color = colorOf(point, canvas.theme);
  if (point.low < point.high && point.low > 0) {
    const auto end = [&](double value) {
      return QPointF(at.x(), std::clamp(canvas.atY(value), canvas.plot.top() + 1, canvas.plot.bottom() - 1));
    };
    painter.setPen(QPen(color, 1.1));
    paintInterval(painter, end(point.low), end(point.high), clipped(point.low, point.high, canvas.y));
  }
  if (index == canvas.highlighted) {
    QColor halo = color;
    halo.setAlphaF(0.3f);
    painter.setPen(Qt::NoPen);
    painter.setBrush(halo);
    painter.drawEllipse(at, radius() + 6, radius() + 6);
  }
  const bool isSmall = radius() < 4;
  painter.setPen(isSmall ? QPen(Qt::NoPen) : QPen(canvas.theme.raised, 1.5));
  painter.setBrush(color);
  if (point.tone == Tone::warning) {  // what lies beyond the scale stands on its edge
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, 1.4));
    painter.drawPolygon(QPolygonF({at + QPointF(-4, 3), at + QPointF(4, 3), at + QPointF(0, -4)}));
    return;
  }
  painter.drawEllipse(at, radius(), radius());
}

void PlaneDrawing::paintPointName(QPainter& painter, const Canvas& canvas, int index,
                                  std::vector<QRectF>& taken) const {
  const ChartPoint& point = chart_.points[size_t(index)];
  const QPointF at = pointAt(index, canvas);
  if (!canvas.plot.contains(at)) return;
  painter.setFont(textFont(12, QFont::DemiBold));
  const QString text = qtText(point.label);
  const QSizeF size(painter.fontMetrics().horizontalAdvance(text) + 6, 17);
  // Nearest first: right, left, below, above, and each of them further away.
  std::vector<QRectF> places;
  for (const double away : {11.0, 26.0, 44.0, 64.0})
    for (const QPointF direction : {QPointF(1, 0), QPointF(-1, 0), QPointF(1, 1), QPointF(-1, 1),
                                    QPointF(1, -1), QPointF(-1, -1), QPointF(0, 1), QPointF(0, -1)}) {
      const QPointF middle = at + QPointF(direction.x() * (away + size.width() / 2),
                                          direction.y() * (away + size.height() / 2 - 4));
      places.push_back(QRectF(middle - QPointF(size.width() / 2, size.height() / 2), size));
    }
  const auto found = std::find_if(places.begin(), places.end(), [&](const QRectF& place) {
    return isFree(place, taken) && canvas.plot.contains(place);
  });
  if (found == places.end()) return;  // a name that would cover a point is told where the pointer rests
  taken.push_back(*found);
  if (const QLineF leader(at, found->center()); leader.length() > size.width() / 2 + 24) {
    painter.setPen(QPen(canvas.theme.muted, 1));
    painter.drawLine(leader.pointAt(8 / leader.length()),
                     QPointF(std::clamp(at.x(), found->left(), found->right()),
                             found->center().y() > at.y() ? found->top() : found->bottom()));
  }
  QColor ground = canvas.theme.raised;
  ground.setAlphaF(0.82f);
  painter.setPen(Qt::NoPen);
  painter.setBrush(ground);
  painter.drawRoundedRect(*found, 3, 3);
  painter.setPen(point.tone == Tone::good ? canvas.theme.text : canvas.theme.secondary);
  painter.drawText(*found, Qt::AlignCenter, text);
}

// The name stands along the line: at a slope's lower end, or above a flat line's right end; further along
// where another name is already.
void PlaneDrawing::paintLineName(QPainter& painter, const Canvas& canvas, const ChartLine& line,
                                 std::vector<QRectF>& taken) const {
  if (line.points.size() < 2) return;
  const auto end = [&](const std::pair<double, double>& point) {
    return canvas.at(point.first, point.second);
  };
  // Of a curve the name stands at its last stretch.
  const std::size_t first = line.series >= 0 && !line.dashed ? line.points.size() - 2 : 0;
  const QLineF along = inside({end(line.points[first]), end(line.points.back())}, canvas.plot);
  if (along.isNull()) return;
  painter.setFont(textFont(11, line.series >= 0 ? QFont::DemiBold : QFont::Normal));
  const QString text = qtText(line.label);
  const double width = painter.fontMetrics().horizontalAdvance(text) + 4, height = 15;
  painter.setPen(colorOf(line, canvas.theme));
  const auto write = [&](const QRectF& box) {
    taken.push_back(box);
    painter.fillRect(box.adjusted(0, 1, 0, -1), canvas.theme.raised);
    painter.drawText(box, int(Qt::AlignLeft | Qt::AlignVCenter), text);
  };
  if (first > 0) {
    const QPointF last = along.p2();
    for (const double up : {-20.0, 8.0, -38.0, 26.0, -56.0, 44.0}) {
      const QRectF box(std::min(last.x() - width, canvas.plot.right() - width - 2), last.y() + up, width,
                       height);
      if (isFree(box, taken) && canvas.plot.contains(box)) return write(box);
    }
    return;
  }
  const bool flat = std::abs(along.dy()) < 1;
  const double angle = flat ? 0 : -along.angle();
  const double levels[] = {-height - 1, 2, -2 * height - 3};
  for (int attempt = 0; attempt < 36; ++attempt) {
    const double gap = 10 + (flat ? attempt / 3 : attempt) * 26.0;
    if (gap + width > along.length()) break;
    const double from = flat ? along.length() - gap - width : gap;
    QTransform place;
    const QPointF start = along.pointAt(from / along.length());
    place.translate(start.x(), start.y());
    place.rotate(angle);
    const double above = flat ? levels[attempt % 3] : levels[0];
    const QRectF own(0, above, width, height);
    // A slope's box is mostly empty, so only the band of the text itself counts.
    std::vector<QRectF> pieces;
    for (double at = 0; at < width; at += 12)
      pieces.push_back(place.mapRect(QRectF(at, above, std::min(12.0, width - at), height)));
    const bool clear =
        std::all_of(pieces.begin(), pieces.end(), [&](const QRectF& piece) { return isFree(piece, taken); });
    if (!clear || !canvas.plot.adjusted(-2, -2, 2, 2).contains(place.mapRect(own))) continue;
    taken.insert(taken.end(), pieces.begin(), pieces.end());
    painter.save();
    painter.setTransform(place, true);
    painter.fillRect(own.adjusted(0, 1, 0, -1), canvas.theme.raised);  // other lines pass below it
    painter.drawText(own, int(Qt::AlignLeft | Qt::AlignVCenter), text);
    painter.restore();
    return;
  }
}

QRectF PlaneDrawing::markRect(int mark, const Canvas& canvas) const {
  const double half = radius() + 1;
  return QRectF(pointAt(mark, canvas) - QPointF(half, half), QSizeF(2 * half, 2 * half));
}

int PlaneDrawing::markAt(QPointF at, const Canvas& canvas) const {
  if (!canvas.plot.adjusted(-8, -8, 8, 8).contains(at)) return -1;
  int best = -1;
  double distance = radius() < 4 ? 7 : 14;
  for (int i = 0; i < marks(); ++i)
    if (const double away = QLineF(at, pointAt(i, canvas)).length(); away < distance)
      best = i, distance = away;
  return best;
}

QString PlaneDrawing::words(int mark) const {
  const ChartPoint& point = chart_.points[size_t(mark)];
  return qtText(point.detail.empty() ? point.label : point.detail);
}

}  // namespace wb
