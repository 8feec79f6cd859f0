// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_view.h"

#include <QChart>
#include <QEvent>
#include <QKeyEvent>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QMouseEvent>
#include <QToolTip>
#include <QValueAxis>
#include <algorithm>
#include <cmath>

#include "core/base/quantity.h"
#include "ui/charts/axis_text.h"
#include "ui/charts/bar_overlay.h"
#include "ui/charts/plain_chart.h"
#include "ui/style/fonts.h"
#include "ui/style/theme.h"

namespace wb {
namespace {

constexpr int rowPixels = 25;

QString tooltip(const Bar& bar) {
  QString text = QStringLiteral("<b>%1</b><br>%2")
                     .arg(QString::fromStdString(bar.label).toHtmlEscaped(),
                          QString::fromStdString(bar.text).toHtmlEscaped());
  if (bar.low > 0 && bar.low < bar.high)
    text +=
        QStringLiteral(" · 95 % %1 – %2")
            .arg(QString::fromStdString(formatRatio(bar.low)), QString::fromStdString(formatRatio(bar.high)));
  return text;
}

}  // namespace

ChartView::ChartView(QWidget* parent)
    : QChartView(parent),
      axis_(new QLogValueAxis),
      plain_(new QValueAxis),
      rows_(new QValueAxis),
      carrier_(new QLineSeries) {
  makePlain(*this);
  setAccessibleName(tr("Speedup chart"));
  QChart* shown = chart();
  axis_->setBase(2);
  axis_->setLabelsVisible(false);  // they know ASCII only, so the overlay writes them
  axis_->setMinorTickCount(0);
  rows_->setVisible(false);
  rows_->setReverse(true);
  plain_->setLabelsVisible(false);
  for (QAbstractAxis* axis : {static_cast<QAbstractAxis*>(axis_), static_cast<QAbstractAxis*>(plain_)})
    shown->addAxis(axis, Qt::AlignTop);  // at the top it stays visible while the bars scroll
  shown->addAxis(rows_, Qt::AlignLeft);
  shown->addSeries(carrier_);
  carrier_->attachAxis(rows_);
  chooseAxis();
  overlay_ = new BarOverlay(*shown);
  restyle();
  fitAxis();
}

void ChartView::setBars(const BarChart& bars) {
  if (bars == bars_) return;
  const bool sameCount = bars.bars.size() == bars_.bars.size();
  bars_ = bars;
  overlay_->setHighlighted(-1);
  overlay_->setBars(bars_);
  fitAxis();
  setAccessibleDescription(tr("%n bars", nullptr, int(bars_.bars.size())));
  if (!sameCount) {
    setMinimumHeight(sizeHint().height());
    updateGeometry();
  }
}

// The axis that the bars do not use is hidden, together with its space.
void ChartView::chooseAxis() {
  QAbstractAxis *wanted = axis_, *other = plain_;
  if (bars_.linear) std::swap(wanted, other);
  other->setVisible(false);
  wanted->setVisible(true);
  if (carrier_->attachedAxes().contains(wanted)) return;
  if (carrier_->attachedAxes().contains(other)) carrier_->detachAxis(other);
  carrier_->attachAxis(wanted);
}

void ChartView::fitAxis() {
  chooseAxis();
  bars_.linear ? fitShares() : fitLogarithm();
  rows_->setRange(0, std::max<double>(1, double(bars_.bars.size())));
  chart()->setMargins(QMargins(labelWidth() + 12, 20, 12, 2));
}

// The axis goes from the base to a round share beyond the longest bar, with space for its value.
void ChartView::fitShares() {
  double high = 0;
  for (const Bar& bar : bars_.bars)
    if (std::isfinite(bar.value)) high = std::max(high, bar.value);
  const double top = high > 0 ? high * 1.16 : 1;
  const double step = roundStep(top - bars_.base, 5);
  plain_->setRange(bars_.base, top);
  plain_->setTickType(QValueAxis::TicksDynamic);
  plain_->setTickAnchor(bars_.base);
  plain_->setTickInterval(step);
  overlay_->setTicks(bars_.base, top, step);
}

// The axis goes over powers of two around all intervals and the base, with space for the value at the right
// of the longest bar.
void ChartView::fitLogarithm() {
  double low = bars_.base, high = bars_.base;
  for (const Bar& bar : bars_.bars) {
    for (const double value : {bar.value, bar.low, bar.high}) {
      if (!(value > 0) || !std::isfinite(value)) continue;
      low = std::min(low, value), high = std::max(high, value);
    }
  }
  // Beyond six doublings the axis has powers of ten, which look round; if need be only every second or third
  // one.
  const double unit = high / low > 50 ? 10 : 2;
  const auto log = [unit](double value) { return std::log(value) / std::log(unit); };
  const double bottom = std::pow(unit, std::floor(log(low * 0.93) + 1e-9));
  const double span = std::max(1.0, log(high / bottom));
  const double top = std::pow(unit, std::ceil(log(high) + span * 0.12 - 1e-9));
  const double step = std::max(1.0, std::ceil(log(top / bottom) / 6 - 1e-9));
  axis_->setBase(std::pow(unit, step));
  axis_->setRange(bottom, std::max(top, bottom * unit * unit));
  overlay_->setAxis(bottom, axis_->max(), axis_->base());
}

int ChartView::labelWidth() const {
  const QFontMetrics metrics(textFont(12));
  int width = 40;
  for (const Bar& bar : bars_.bars)
    width = std::max(width, metrics.horizontalAdvance(QString::fromStdString(bar.label)));
  return std::min(width, std::max(70, this->width() * (bars_.linear ? 9 : 6) / 18));
}

QSize ChartView::sizeHint() const {
  return {420, 34 + rowPixels * int(std::max<size_t>(2, bars_.bars.size()))};
}

QRect ChartView::barRect(int bar) const {
  return mapFromScene(overlay_->mapToScene(overlay_->barRect(bar)).boundingRect()).boundingRect();
}

void ChartView::restyle() {
  const Theme& theme = themeOf(palette());
  QPalette own = chart()->palette();
  own.setColor(QPalette::Window, theme.window);
  chart()->setPalette(own);
  for (QAbstractAxis* axis : {static_cast<QAbstractAxis*>(axis_), static_cast<QAbstractAxis*>(plain_)}) {
    axis->setGridLinePen(QPen(theme.grid, 1));
    axis->setLinePen(Qt::NoPen);
  }
  setBackgroundBrush(Qt::NoBrush);
  overlay_->update();
}

void ChartView::highlight(const std::string& rowId) {
  for (size_t i = 0; i < bars_.bars.size(); ++i)
    if (bars_.bars[i].rowId == rowId) return overlay_->setHighlighted(int(i));
}

void ChartView::pick(int bar) {
  overlay_->setHighlighted(bar);
  if (bar >= 0) emit picked(QString::fromStdString(bars_.bars[size_t(bar)].rowId));
}

void ChartView::mouseMoveEvent(QMouseEvent* event) {
  const int bar = overlay_->barAt(mapToScene(event->pos()));
  overlay_->setHighlighted(bar);
  if (bar >= 0)
    QToolTip::showText(event->globalPosition().toPoint() + QPoint(14, 14), tooltip(bars_.bars[size_t(bar)]),
                       this);
  else
    QToolTip::hideText();
}

void ChartView::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) pick(overlay_->barAt(mapToScene(event->pos())));
}

void ChartView::leaveEvent(QEvent* event) {
  overlay_->setHighlighted(-1);
  QChartView::leaveEvent(event);
}

void ChartView::keyPressEvent(QKeyEvent* event) {
  const int last = int(bars_.bars.size()) - 1;
  const int step = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
  if (step != 0 && last >= 0)
    pick(std::clamp(overlay_->highlighted() + step, 0, last));
  else
    QChartView::keyPressEvent(event);
}

// The list around the chart scrolls, and not the chart.
void ChartView::wheelEvent(QWheelEvent* event) {
  event->ignore();
}

void ChartView::resizeEvent(QResizeEvent* event) {
  QChartView::resizeEvent(event);
  fitAxis();
}

void ChartView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && overlay_) restyle();
  QChartView::changeEvent(event);
}

}  // namespace wb
