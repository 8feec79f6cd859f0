// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/bar_overlay.h"

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

// On a plain axis there is no faster and slower, so the colour says what works.
QColor barColor(const Theme& theme, Tone tone, bool linear) {
  if (linear && tone == Tone::good) return theme.good;
  if (linear && tone == Tone::neutral) return theme.barGood;
  switch (tone) {
    case Tone::bad:
      return theme.barBad;
    case Tone::good:
      return theme.barGood;
    case Tone::muted:
    case Tone::warning:
    case Tone::neutral:
      break;
  }
  return theme.barNeutral;
}

}  // namespace

BarOverlay::BarOverlay(QChart& chart) : QGraphicsItem(&chart), chart_(chart) {
  setZValue(10);
}

void BarOverlay::setBars(const BarChart& chart) {
  prepareGeometryChange();
  bars_ = chart;
  update();
}

void BarOverlay::setAxis(double from, double to, double factor) {
  from_ = from, to_ = to, factor_ = factor, step_ = 0;
  update();
}

void BarOverlay::setTicks(double from, double to, double step) {
  from_ = from, to_ = to, step_ = step;
  update();
}

void BarOverlay::paintLabel(QPainter& painter, double value, const QString& text) const {
  painter.drawText(QRectF(x(value) - 40, chart_.plotArea().top() - 19, 80, 16), Qt::AlignCenter, text);
}

void BarOverlay::paintAxis(QPainter& painter) const {
  painter.setFont(textFont(11));
  painter.setPen(themeOf(chart_.palette()).muted);
  if (bars_.linear) {
    for (int i = 0; step_ > 0 && from_ + i * step_ <= to_; ++i)
      paintLabel(painter, from_ + i * step_, axisText(formatPercent(from_ + i * step_)));
    return;
  }
  for (double value = from_; value <= to_ * 1.001 && factor_ > 1; value *= factor_)
    paintLabel(painter, value, axisText(formatRatio(value)));
}

void BarOverlay::setHighlighted(int bar) {
  if (bar == highlighted_) return;
  highlighted_ = bar;
  update();
}

double BarOverlay::x(double value) const {
  const QRectF area = chart_.plotArea();
  if ((!bars_.linear && !(value > 0)) || !std::isfinite(value)) value = bars_.base;
  return std::clamp(chart_.mapToPosition(QPointF(value, 0.5)).x(), area.left(), area.right());
}

double BarOverlay::y(int bar) const {
  return chart_.mapToPosition(QPointF(bars_.base, bar + 0.5)).y();
}

double BarOverlay::rowHeight() const {
  return bars_.bars.empty() ? 0 : chart_.plotArea().height() / double(bars_.bars.size());
}

QRectF BarOverlay::barRect(int bar) const {
  const double from = x(bars_.base), to = x(bars_.bars[size_t(bar)].value);
  const double height = std::min(15.0, rowHeight() * 0.55);
  return QRectF(std::min(from, to), y(bar) - height / 2, std::max(1.0, std::abs(to - from)), height);
}

int BarOverlay::barAt(QPointF scenePosition) const {
  const QPointF at = mapFromScene(scenePosition);
  const QRectF area = chart_.plotArea();
  if (at.y() < area.top() || at.y() >= area.bottom() || bars_.bars.empty()) return -1;
  return std::clamp(int((at.y() - area.top()) / rowHeight()), 0, int(bars_.bars.size()) - 1);
}

QRectF BarOverlay::boundingRect() const {
  return chart_.rect();
}

void BarOverlay::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  if (bars_.bars.empty()) return;
  const Theme& theme = themeOf(chart_.palette());
  const QRectF area = chart_.plotArea();
  painter->setRenderHint(QPainter::Antialiasing);
  if (highlighted_ >= 0 && highlighted_ < int(bars_.bars.size())) {
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme.hover);
    const double top = y(highlighted_) - rowHeight() / 2;
    painter->drawRoundedRect(QRectF(4, top, chart_.rect().width() - 8, rowHeight()), 5, 5);
  }
  painter->setPen(QPen(theme.strongBorder, 1));
  const double base = std::floor(x(bars_.base)) + 0.5;
  painter->drawLine(QPointF(base, area.top()), QPointF(base, area.bottom()));
  paintAxis(*painter);
  for (int i = 0; i < int(bars_.bars.size()); ++i) paintBar(*painter, i);
}

void BarOverlay::paintBar(QPainter& painter, int index) const {
  const Theme& theme = themeOf(chart_.palette());
  const Bar& bar = bars_.bars[size_t(index)];
  const QRectF area = chart_.plotArea();
  const QRectF rect = barRect(index);
  painter.setPen(Qt::NoPen);
  painter.setBrush(barColor(theme, bar.tone, bars_.linear));
  painter.drawRoundedRect(rect, 2.5, 2.5);

  double right = rect.right();
  if (bar.low > 0 && bar.high > bar.low) {
    const double low = x(bar.low), high = x(bar.high), middle = y(index);
    painter.setPen(QPen(theme.dark ? QColor("#e8ebf0") : QColor("#20252e"), 1.2));
    painter.drawLine(QPointF(low, middle), QPointF(high, middle));
    for (const double end : {low, high}) painter.drawLine(QPointF(end, middle - 4), QPointF(end, middle + 4));
    right = std::max(right, high);
  }

  const double half = rowHeight() / 2, top = y(index) - half;
  const QRectF label(8, top, area.left() - 18, 2 * half);
  painter.setFont(textFont(12));
  painter.setPen(theme.text);
  painter.drawText(
      label, int(Qt::AlignRight | Qt::AlignVCenter),
      painter.fontMetrics().elidedText(QString::fromStdString(bar.label),
                                       bars_.linear ? Qt::ElideRight : Qt::ElideMiddle, int(label.width())));
  painter.setFont(textFont(12, QFont::DemiBold));
  painter.drawText(QRectF(right + 7, top, 90, 2 * half), int(Qt::AlignLeft | Qt::AlignVCenter),
                   QString::fromStdString(bar.text));
}

}  // namespace wb
