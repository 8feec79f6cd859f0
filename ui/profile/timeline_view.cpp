// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/timeline_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "core/base/quantity.h"
#include "ui/charts/axis_text.h"
#include "ui/style/fonts.h"
#include "ui/style/theme.h"

namespace wb {
namespace {

constexpr int axisHeight = 30, lowestLane = 34, highestLane = 54, right = 14;
constexpr double closest = 1e-8;  // so few seconds may fill the view

QColor spanColor(const Theme& theme, Tone tone) {
  switch (tone) {
    case Tone::good:
      return theme.barGood;
    case Tone::bad:
      return theme.barBad;
    case Tone::warning:
      return theme.warning;
    case Tone::neutral:
      return theme.good;
    case Tone::muted:
      break;
  }
  return theme.barNeutral;
}

// Black or white, whichever can be read better on the background.
QColor inkOn(const QColor& ground) {
  return 0.299 * ground.redF() + 0.587 * ground.greenF() + 0.114 * ground.blueF() > 0.55 ? QColor("#10141b")
                                                                                         : QColor("#ffffff");
}

}  // namespace

TimelineView::TimelineView(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Timeline"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
}

void TimelineView::setChart(const TimeChart& chart) {
  if (chart == chart_) return;
  chart_ = chart;
  end_ = 0;
  labels_ = 60;
  int spans = 0;
  const QFontMetrics metrics(textFont(12));
  for (const Lane& lane : chart_.lanes) {
    labels_ = std::max(labels_, metrics.horizontalAdvance(QString::fromStdString(lane.label)) + 24);
    spans += int(lane.spans.size());
    for (const Span& span : lane.spans) end_ = std::max(end_, span.start + span.length);
  }
  if (!(end_ > 0)) end_ = 1;
  hovered_ = {};
  setAccessibleDescription(tr("%n spans", nullptr, spans));
  updateGeometry();
  showAll();
}

void TimelineView::showAll() {
  showRange(0, end_ * 1.02);
}

void TimelineView::showRange(double from, double to) {
  const double width = std::clamp(to - from, closest, end_ * 1.5);
  from = std::clamp(from, -end_ * 0.1, end_ * 1.1);
  if (from == from_ && from + width == to_) return;
  from_ = from;
  to_ = from + width;
  update();
}

void TimelineView::zoom(double factor, double around) {
  const double width = std::clamp((to_ - from_) * factor, closest, end_ * 1.02);
  const double share = (around - from_) / (to_ - from_);
  showRange(around - share * width, around + (1 - share) * width);
}

double TimelineView::x(double seconds) const {
  return labels_ + (seconds - from_) / (to_ - from_) * (width() - labels_ - right);
}

double TimelineView::seconds(double x) const {
  return from_ + (x - labels_) / std::max(1, width() - labels_ - right) * (to_ - from_);
}

// The height of a lane, as far as there is space.
int TimelineView::laneHeight() const {
  const int lanes = std::max(1, int(chart_.lanes.size()));
  return std::clamp((height() - axisHeight - 8) / lanes, lowestLane, highestLane);
}

QRectF TimelineView::laneRect(std::size_t lane) const {
  return {double(labels_), double(axisHeight + int(lane) * laneHeight()), double(width() - labels_ - right),
          double(laneHeight())};
}

QRectF TimelineView::spanRect(std::size_t lane, std::size_t span) const {
  const Span& one = chart_.lanes[lane].spans[span];
  const QRectF in = laneRect(lane);
  const double left = x(one.start), end = x(one.start + one.length);
  return {left, in.top() + 7, std::max(1.5, end - left), in.height() - 14};
}

QSize TimelineView::sizeHint() const {
  return {480, axisHeight + lowestLane * int(std::max<size_t>(2, chart_.lanes.size())) + 10};
}

QSize TimelineView::minimumSizeHint() const {
  return {260, sizeHint().height()};
}

TimelineView::Hit TimelineView::hitAt(QPointF at) const {
  const int lane = int(std::floor((at.y() - axisHeight) / laneHeight()));
  if (at.x() < labels_ || lane < 0 || lane >= int(chart_.lanes.size())) return {};
  const auto& spans = chart_.lanes[size_t(lane)].spans;
  for (int i = int(spans.size()) - 1; i >= 0; --i)  // a nested span was drawn later
    if (spanRect(size_t(lane), size_t(i)).adjusted(-2, -6, 2, 6).contains(at)) return {lane, i};
  return {};
}

void TimelineView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintAxis(painter);
  for (size_t lane = 0; lane < chart_.lanes.size(); ++lane) paintLane(painter, lane);
  if (!hasFocus()) return;
  painter.setPen(themeOf(palette()).accent);
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void TimelineView::paintAxis(QPainter& painter) const {
  const Theme& theme = themeOf(palette());
  painter.setFont(textFont(11));
  const double step = roundStep(to_ - from_, std::max(2, (width() - labels_) / 90));
  const double bottom = axisHeight + laneHeight() * double(chart_.lanes.size());
  for (double at = std::ceil(from_ / step) * step; at <= to_; at += step) {
    if (at < 0) continue;
    const double here = std::floor(x(at)) + 0.5;
    painter.setPen(theme.grid);
    painter.drawLine(QPointF(here, axisHeight), QPointF(here, bottom));
    painter.setPen(theme.muted);
    // Steps add up rounding errors, so a value near zero is shown as zero.
    const double value = std::abs(at) < step * 1e-6 ? 0 : at;
    painter.drawText(QRectF(here - 45, 6, 90, 18), Qt::AlignCenter,
                     value == 0 ? QStringLiteral("0") : axisText(formatSeconds(value)));
  }
}

void TimelineView::paintLane(QPainter& painter, std::size_t index) const {
  const Theme& theme = themeOf(palette());
  const Lane& lane = chart_.lanes[index];
  const QRectF area = laneRect(index);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(theme.border);
  painter.drawLine(QPointF(0, area.top()), QPointF(width(), area.top()));
  painter.drawLine(QPointF(0, area.bottom()), QPointF(width(), area.bottom()));
  painter.setFont(textFont(12));
  painter.setPen(theme.secondary);
  painter.drawText(QRectF(12, area.top(), labels_ - 18, area.height()), int(Qt::AlignLeft | Qt::AlignVCenter),
                   QString::fromStdString(lane.label));
  painter.save();
  painter.setClipRect(area.adjusted(0, 0, right, 0));
  painter.setFont(textFont(11, QFont::Medium));
  painter.setRenderHint(QPainter::Antialiasing);
  double drawnTo = -1;
  Tone drawnTone = Tone::neutral;
  for (size_t i = 0; i < lane.spans.size(); ++i) {
    const Span& span = lane.spans[i];
    if (span.start > to_ || span.start + span.length < from_) continue;
    const QRectF rect = spanRect(index, i).intersected(area.adjusted(-8, 0, 8 + right, 0));
    // Thousands of calls may fall on one pixel; drawing one of them is enough.
    if (rect.width() < 2 && rect.right() <= drawnTo && span.tone == drawnTone) continue;
    drawnTo = rect.right(), drawnTone = span.tone;
    const bool hovered = hovered_ == Hit{int(index), int(i)};
    const QColor color = spanColor(theme, span.tone);
    painter.setPen(hovered ? QPen(theme.text, 1.2) : rect.width() > 4 ? QPen(theme.window, 1) : Qt::NoPen);
    painter.setBrush(hovered ? color.lighter(112) : color);
    painter.drawRoundedRect(rect, rect.width() > 6 ? 3 : 0, rect.width() > 6 ? 3 : 0);
    if (rect.width() < 24) continue;
    painter.setPen(inkOn(color));
    const QRectF text = rect.intersected(area).adjusted(6, 0, -5, 0);
    painter.drawText(text, int(Qt::AlignLeft | Qt::AlignVCenter),
                     painter.fontMetrics().elidedText(QString::fromStdString(span.label), Qt::ElideRight,
                                                      int(text.width())));
  }
  painter.restore();
}

void TimelineView::wheelEvent(QWheelEvent* event) {
  const QPoint turned = event->angleDelta();
  const double width = to_ - from_;
  if (event->modifiers() & Qt::ShiftModifier || std::abs(turned.x()) > std::abs(turned.y())) {
    const int by = turned.x() != 0 ? turned.x() : turned.y();
    showRange(from_ - by / 1200.0 * width, to_ - by / 1200.0 * width);
  } else {
    zoom(std::pow(0.85, turned.y() / 120.0), seconds(event->position().x()));
  }
  event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  dragging_ = true;
  draggedFrom_ = seconds(event->position().x());
  setCursor(Qt::ClosedHandCursor);
}

void TimelineView::mouseReleaseEvent(QMouseEvent*) {
  dragging_ = false;
  unsetCursor();
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
  if (dragging_) {
    const double by = draggedFrom_ - seconds(event->position().x());
    return showRange(from_ + by, to_ + by);
  }
  const Hit hit = hitAt(event->position());
  if (hit != hovered_) update();
  hovered_ = hit;
  if (hit.span < 0) return QToolTip::hideText();
  const Span& span = chart_.lanes[size_t(hit.lane)].spans[size_t(hit.span)];
  QStringList lines =
      QString::fromStdString(span.detail.empty() ? span.label : span.detail).toHtmlEscaped().split('\n');
  lines.front() = QStringLiteral("<b>%1</b>").arg(lines.front());
  QToolTip::showText(event->globalPosition().toPoint() + QPoint(14, 14),
                     QStringLiteral("<qt>%1</qt>").arg(lines.join(QStringLiteral("<br>"))), this);
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
  const Hit hit = hitAt(event->position());
  if (hit.span < 0) return showAll();
  const Span& span = chart_.lanes[size_t(hit.lane)].spans[size_t(hit.span)];
  showRange(span.start - span.length * 0.15, span.start + span.length * 1.15);
}

void TimelineView::leaveEvent(QEvent*) {
  hovered_ = {};
  update();
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
  const double width = to_ - from_;
  switch (event->key()) {
    case Qt::Key_Left:
      return showRange(from_ - width / 10, to_ - width / 10);
    case Qt::Key_Right:
      return showRange(from_ + width / 10, to_ + width / 10);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_Up:
      return zoom(0.7, from_ + width / 2);
    case Qt::Key_Minus:
    case Qt::Key_Down:
      return zoom(1 / 0.7, from_ + width / 2);
    case Qt::Key_0:
    case Qt::Key_Home:
      return showAll();
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace wb
