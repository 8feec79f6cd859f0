// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plane_view.h"

#include <QChart>
#include <QEvent>
#include <QKeyEvent>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/charts/plain_chart.h"
#include "ui/charts/plane_overlay.h"
#include "ui/style/theme.h"

namespace wb {
namespace {

QString tooltip(const ChartPoint& point) {
  QStringList lines =
      QString::fromStdString(point.detail.empty() ? point.label : point.detail).toHtmlEscaped().split('\n');
  lines.front() = QStringLiteral("<b>%1</b>").arg(lines.front());
  return QStringLiteral("<qt>%1</qt>").arg(lines.join(QStringLiteral("<br>")));
}

}  // namespace

PlaneView::PlaneView(QWidget* parent) : QChartView(parent), x_(new QLogValueAxis), y_(new QLogValueAxis) {
  makePlain(*this);
  setAccessibleName(tr("Roofline"));
  QChart* shown = chart();
  shown->setMargins(QMargins(92, 14, 18, 44));  // the overlay writes there, since axes know ASCII only
  auto* carrier = new QLineSeries;              // mapToPosition needs a series to which both axes belong
  shown->addSeries(carrier);
  for (QLogValueAxis* axis : {x_, y_}) {
    axis->setBase(10);
    axis->setLabelsVisible(false);
    axis->setMinorTickCount(0);
    shown->addAxis(axis, axis == x_ ? Qt::AlignBottom : Qt::AlignLeft);
    carrier->attachAxis(axis);
  }
  overlay_ = new PlaneOverlay(*shown);
  restyle();
}

void PlaneView::setPlane(const PlaneChart& plane) {
  if (plane == plane_) return;
  plane_ = plane;
  fitAxes();
  overlay_->setPlane(plane_);
  QStringList said;
  for (const ChartPoint& point : plane_.points) said << QString::fromStdString(point.detail).simplified();
  setAccessibleDescription(said.join(QStringLiteral("; ")));
}

// The axes have whole decades around everything, and space for the name above the highest roof.
void PlaneView::fitAxes() {
  double left = INFINITY, right = 0, bottom = INFINITY, top = 0;
  const auto take = [&](double x, double y) {
    if (!(x > 0) || !(y > 0) || !std::isfinite(x) || !std::isfinite(y)) return;
    left = std::min(left, x), right = std::max(right, x);
    bottom = std::min(bottom, y), top = std::max(top, y);
  };
  for (const ChartLine& line : plane_.lines)
    for (const auto& [x, y] : line.points) take(x, y);
  for (const ChartPoint& point : plane_.points) take(point.x, point.y);
  if (!std::isfinite(left) || !std::isfinite(bottom)) return;
  const auto below = [](double value) { return std::pow(10, std::floor(std::log10(value) + 1e-9)); };
  const auto above = [](double value) { return std::pow(10, std::ceil(std::log10(value) - 1e-9)); };
  x_->setRange(below(left), std::max(above(right), below(left) * 10));
  y_->setRange(below(bottom * 0.9), std::max(top * 3.6, below(bottom) * 10));
  overlay_->setRange({x_->min(), x_->max()}, {y_->min(), y_->max()});
}

QPoint PlaneView::pointAt(int point) const {
  return mapFromScene(overlay_->mapToScene(overlay_->pointAt(point)));
}

void PlaneView::restyle() {
  const Theme& theme = themeOf(palette());
  QPalette own = chart()->palette();
  own.setColor(QPalette::Window, theme.window);
  chart()->setPalette(own);
  for (QLogValueAxis* axis : {x_, y_}) {
    axis->setGridLinePen(QPen(theme.grid, 1));
    axis->setLinePen(QPen(theme.strongBorder, 1));
  }
  setBackgroundBrush(Qt::NoBrush);
  overlay_->update();
}

void PlaneView::mouseMoveEvent(QMouseEvent* event) {
  const int point = overlay_->nearest(overlay_->mapFromScene(mapToScene(event->pos())));
  overlay_->setHighlighted(point);
  if (point >= 0)
    QToolTip::showText(event->globalPosition().toPoint() + QPoint(14, 14),
                       tooltip(plane_.points[size_t(point)]), this);
  else
    QToolTip::hideText();
}

void PlaneView::leaveEvent(QEvent* event) {
  overlay_->setHighlighted(-1);
  QChartView::leaveEvent(event);
}

void PlaneView::keyPressEvent(QKeyEvent* event) {
  const int count = int(plane_.points.size());
  const bool forward = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
  const bool back = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up;
  if (count == 0 || (!forward && !back)) return QChartView::keyPressEvent(event);
  const int now = overlay_->highlighted();
  const int next = now < 0 ? (forward ? 0 : count - 1) : (now + (forward ? 1 : count - 1)) % count;
  overlay_->setHighlighted(next);
  QToolTip::showText(mapToGlobal(pointAt(next)) + QPoint(14, 14), tooltip(plane_.points[size_t(next)]), this);
}

void PlaneView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && overlay_) restyle();
  QChartView::changeEvent(event);
}

}  // namespace wb
