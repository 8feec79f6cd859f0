// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/occupancy_plot.h"

#include <QPainter>
#include <QPainterPath>

#include "ui/theme.h"

namespace wb {

OccupancyPlot::OccupancyPlot(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void OccupancyPlot::setCurve(const std::function<Occupancy(int)>& at, int low, int high, int step, int now) {
  curve_.clear();
  for (int value = low; value <= high; value += step) curve_.emplace_back(value, at(value).fraction);
  low_ = low, high_ = std::max(high, low + 1), now_ = now;
  here_ = at(now).fraction;
  update();
}

void OccupancyPlot::paintEvent(QPaintEvent*) {
  const Theme& theme = themeOf(palette());
  QPainter painter(this);
  const QRectF area = QRectF(rect()).adjusted(0.5, 6.5, -5.5, -4.5);
  const auto x = [&](double value) { return area.left() + (value - low_) / (high_ - low_) * area.width(); };
  const auto y = [&](double share) { return area.bottom() - share * area.height(); };
  painter.setPen(theme.grid);
  for (const double share : {0.0, 0.5, 1.0})
    painter.drawLine(QPointF(area.left(), y(share)), QPointF(area.right(), y(share)));
  if (curve_.empty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  QPainterPath path(QPointF(x(curve_.front().first), y(curve_.front().second)));
  for (const auto& [value, share] : curve_) {
    path.lineTo(x(value), path.currentPosition().y());
    path.lineTo(x(value), y(share));
  }
  QPainterPath filled = path;
  filled.lineTo(x(curve_.back().first), area.bottom());
  filled.lineTo(x(curve_.front().first), area.bottom());
  QColor ground = theme.accent;
  ground.setAlphaF(0.14f);
  painter.fillPath(filled, ground);
  painter.setPen(QPen(theme.accent, 1.5));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
  const QPointF here(x(std::clamp(now_, low_, high_)), y(here_));
  painter.setPen(QPen(theme.muted, 1, Qt::DotLine));
  painter.drawLine(QPointF(here.x(), area.top() - 4), QPointF(here.x(), area.bottom()));
  painter.setPen(QPen(theme.raised, 1.5));
  painter.setBrush(theme.accent);
  painter.drawEllipse(here, 4.5, 4.5);
}

}  // namespace wb
