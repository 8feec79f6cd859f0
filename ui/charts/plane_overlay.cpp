// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plane_overlay.h"

#include <QChart>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/base/quantity.h"
#include "ui/charts/axis_text.h"
#include "ui/style/fonts.h"
#include "ui/style/theme.h"

namespace wb {
namespace {

constexpr double radius = 5.5;

bool isFree(const QRectF& rect, const std::vector<QRectF>& taken) {
  return std::none_of(taken.begin(), taken.end(),
                      [&](const QRectF& other) { return other.intersects(rect); });
}

// Labels only every second or third decade where there are many.
double decadeStep(std::pair<double, double> range, double pixels, double perLabel) {
  const double decades = std::log10(range.second / range.first);
  return std::max(1.0, std::ceil(decades * perLabel / std::max(1.0, pixels)));
}

}  // namespace

PlaneOverlay::PlaneOverlay(QChart& chart) : QGraphicsItem(&chart), chart_(chart) {
  setZValue(10);
}

void PlaneOverlay::setPlane(const PlaneChart& plane) {
  prepareGeometryChange();
  plane_ = plane;
  highlighted_ = -1;
  update();
}

void PlaneOverlay::setRange(std::pair<double, double> x, std::pair<double, double> y) {
  x_ = x, y_ = y;
  update();
}

void PlaneOverlay::setHighlighted(int point) {
  if (point == highlighted_) return;
  highlighted_ = point;
  update();
}

QPointF PlaneOverlay::map(double x, double y) const {
  if (!(x > 0) || !(y > 0)) return chart_.plotArea().bottomLeft();
  return chart_.mapToPosition(QPointF(x, y));
}

QPointF PlaneOverlay::pointAt(int point) const {
  const ChartPoint& p = plane_.points[size_t(point)];
  return map(p.x, p.y);
}

int PlaneOverlay::nearest(QPointF at) const {
  int best = -1;
  double distance = 14;
  for (int i = 0; i < int(plane_.points.size()); ++i)
    if (const double d = QLineF(at, pointAt(i)).length(); d < distance) best = i, distance = d;
  return best;
}

QRectF PlaneOverlay::boundingRect() const {
  return chart_.rect();
}

void PlaneOverlay::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  if (plane_.points.empty() && plane_.lines.empty()) return;
  painter->setRenderHint(QPainter::Antialiasing);
  paintAxes(*painter);
  std::vector<QRectF> taken;
  for (int i = 0; i < int(plane_.points.size()); ++i)
    taken.push_back(QRectF(pointAt(i) - QPointF(9, 9), QSizeF(18, 18)));
  for (const ChartLine& line : plane_.lines) paintLine(*painter, line);
  for (const ChartLine& line : plane_.lines) paintName(*painter, line, taken);
  paintPoints(*painter, taken);
}

void PlaneOverlay::paintAxes(QPainter& painter) const {
  const Theme& theme = themeOf(chart_.palette());
  const QRectF area = chart_.plotArea();
  painter.setFont(textFont(11));
  painter.setPen(theme.muted);
  const double stepX = std::pow(10, decadeStep(x_, area.width(), 52));
  for (double value = x_.first; value <= x_.second * 1.001; value *= stepX)
    painter.drawText(QRectF(map(value, y_.first).x() - 40, area.bottom() + 4, 80, 16), Qt::AlignCenter,
                     axisText(formatNumber(value)));
  const double stepY = std::pow(10, decadeStep(y_, area.height(), 26));
  for (double value = y_.first; value <= y_.second * 1.001; value *= stepY)
    painter.drawText(QRectF(area.left() - 92, map(x_.first, value).y() - 8, 84, 16),
                     int(Qt::AlignRight | Qt::AlignVCenter), axisText(formatScaled(value, plane_.yAxis)));
  painter.setPen(theme.secondary);
  painter.drawText(QRectF(area.left(), area.bottom() + 22, area.width(), 16), Qt::AlignCenter,
                   QString::fromStdString(plane_.xAxis));
}

void PlaneOverlay::paintLine(QPainter& painter, const ChartLine& line) const {
  if (line.points.size() < 2) return;
  const Theme& theme = themeOf(chart_.palette());
  QPolygonF path;
  for (const auto& [x, y] : line.points) path << map(x, y);
  QPen pen(line.dashed ? theme.muted : theme.secondary, line.dashed ? 1.1 : 1.6);
  if (line.dashed) pen.setDashPattern({5, 4});
  painter.setPen(pen);
  painter.drawPolyline(path);
}

// The name stands along the line: at a slope's lower end, or above a flat line's right end; further along
// where another name is already.
void PlaneOverlay::paintName(QPainter& painter, const ChartLine& line, std::vector<QRectF>& taken) const {
  if (line.points.size() < 2) return;
  const Theme& theme = themeOf(chart_.palette());
  painter.setFont(textFont(11));
  const QString text = QString::fromStdString(line.label);
  const double width = painter.fontMetrics().horizontalAdvance(text) + 4, height = 15;
  const auto end = [&](const std::pair<double, double>& point) { return map(point.first, point.second); };
  const QLineF along(end(line.points.front()), end(line.points.back()));
  const bool flat = std::abs(along.dy()) < 1;
  const double angle = flat ? 0 : -along.angle();
  painter.setPen(line.dashed ? theme.muted : theme.secondary);
  // A flat line's name may stand below it, or above another name.
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
    const QRectF box = place.mapRect(own);
    // A slope's box is mostly empty, so only the band of the text itself counts.
    bool clear = true;
    std::vector<QRectF> pieces;
    for (double at = 0; at < width; at += 12)
      pieces.push_back(place.mapRect(QRectF(at, above, std::min(12.0, width - at), height)));
    for (const QRectF& piece : pieces) clear = clear && isFree(piece, taken);
    if (!clear || !chart_.plotArea().adjusted(-2, -2, 2, 2).contains(box)) continue;
    taken.insert(taken.end(), pieces.begin(), pieces.end());
    painter.save();
    painter.setTransform(place, true);
    if (flat) painter.fillRect(own.adjusted(0, 1, 0, -1), theme.raised);  // steeper lines pass below the name
    painter.drawText(own, int(Qt::AlignLeft | Qt::AlignVCenter), text);
    painter.restore();
    return;
  }
}

void PlaneOverlay::paintPoints(QPainter& painter, std::vector<QRectF>& taken) const {
  const Theme& theme = themeOf(chart_.palette());
  const QRectF area = chart_.plotArea();
  painter.setFont(textFont(12, QFont::DemiBold));
  for (int i = 0; i < int(plane_.points.size()); ++i) {
    const ChartPoint& point = plane_.points[size_t(i)];
    const QPointF at = pointAt(i);
    const QColor color = point.tone == Tone::good ? theme.accent : theme.secondary;
    if (i == highlighted_) {
      QColor halo = color;
      halo.setAlphaF(0.25f);
      painter.setPen(Qt::NoPen);
      painter.setBrush(halo);
      painter.drawEllipse(at, radius + 6, radius + 6);
    }
    painter.setPen(QPen(theme.raised, 1.5));
    painter.setBrush(color);
    painter.drawEllipse(at, radius, radius);
    const QString text = QString::fromStdString(point.label);
    const QSizeF size(painter.fontMetrics().horizontalAdvance(text) + 6, 17);
    const QPointF places[] = {{11, -8.5},
                              {11, 6},
                              {11, -24},
                              {-size.width() - 11, -8.5},
                              {-size.width() - 11, 6},
                              {-size.width() - 11, -24},
                              {-size.width() / 2, 12},
                              {-size.width() / 2, -30},
                              {14, 22}};
    QRectF box(at + places[0], size);
    for (const QPointF& offset : places) {
      const QRectF candidate(at + offset, size);
      if (!isFree(candidate, taken) || !area.contains(candidate)) continue;
      box = candidate;
      break;
    }
    taken.push_back(box);
    QColor ground = theme.raised;
    ground.setAlphaF(0.82f);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(point.tone == Tone::good ? theme.text : theme.secondary);
    painter.drawText(box, Qt::AlignCenter, text);
  }
}

}  // namespace wb
