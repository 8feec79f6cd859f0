// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/occupancy_plot.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/base/quantity.h"
#include "ui/style/fonts.h"
#include "ui/style/theme.h"

namespace wb {

OccupancyPlot::OccupancyPlot(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setMouseTracking(true);
  setCursor(Qt::PointingHandCursor);
}

void OccupancyPlot::setCurve(const std::function<Occupancy(int)>& at, int low, int high, int step, int now) {
  curve_.clear();
  for (int value = low; value <= high; value += step) curve_.emplace_back(value, at(value).fraction);
  low_ = low, high_ = std::max(high, low + 1), now_ = now;
  here_ = at(now).fraction;
  update();
}

QRectF OccupancyPlot::area() const {
  return QRectF(rect()).adjusted(0.5, 6.5, -5.5, -18.5);
}

std::size_t OccupancyPlot::nearest(double x) const {
  const QRectF in = area();
  const double value = low_ + (x - in.left()) / in.width() * (high_ - low_);
  std::size_t best = 0;
  for (std::size_t i = 0; i < curve_.size(); ++i)
    if (std::abs(curve_[i].first - value) < std::abs(curve_[best].first - value)) best = i;
  return best;
}

void OccupancyPlot::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && !curve_.empty())
    emit picked(curve_[nearest(event->position().x())].first);
}

void OccupancyPlot::mouseMoveEvent(QMouseEvent* event) {
  if (curve_.empty()) return;
  const auto& [value, share] = curve_[nearest(event->position().x())];
  QToolTip::showText(event->globalPosition().toPoint() + QPoint(14, 14),
                     QStringLiteral("%1: %2").arg(QString::fromStdString(formatCount(value)),
                                                  QString::fromStdString(formatPercent(share))),
                     this);
  if (event->buttons() & Qt::LeftButton) emit picked(value);
}

void OccupancyPlot::paintEvent(QPaintEvent*) {
  const Theme& theme = themeOf(palette());
  QPainter painter(this);
  const QRectF area = this->area();
  const auto x = [&](double value) { return area.left() + (value - low_) / (high_ - low_) * area.width(); };
  const auto y = [&](double share) { return area.bottom() - share * area.height(); };
  painter.setPen(theme.grid);
  for (const double share : {0.0, 0.5, 1.0})
    painter.drawLine(QPointF(area.left(), y(share)), QPointF(area.right(), y(share)));
  if (curve_.empty()) return;
  painter.setFont(textFont(11));
  painter.setPen(theme.muted);
  const QRectF below(area.left(), area.bottom() + 2, area.width(), 16);
  painter.drawText(below, int(Qt::AlignLeft | Qt::AlignVCenter), QString::fromStdString(formatCount(low_)));
  painter.drawText(below, int(Qt::AlignRight | Qt::AlignVCenter), QString::fromStdString(formatCount(high_)));
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
