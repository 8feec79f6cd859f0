// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/lane_drawing.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_colors.h"
#include "ui/style/fonts.h"

namespace wb {
namespace {

constexpr double axisHeight = 30, lowestLane = 34, highestLane = 54, right = 14;

QColor spanColor(const Theme& theme, Tone tone) {
  switch (tone) {
    case Tone::good:
      return theme.barGood;
    case Tone::bad:
      return theme.barBad;
    case Tone::warning:
      return theme.warning;
    case Tone::neutral:
      return seriesColor(theme, 2);
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

LaneDrawing::LaneDrawing(const TimeChart& chart) : chart_(chart) {
  const QFontMetricsF metrics(textFont(12));
  for (std::size_t lane = 0; lane < chart_.lanes.size(); ++lane) {
    begins_.push_back(int(spans_.size()));
    labels_ = std::max(labels_, std::ceil(metrics.horizontalAdvance(qtText(chart_.lanes[lane].label))) + 24);
    for (const Span& span : chart_.lanes[lane].spans) {
      spans_.push_back({int(lane), &span});
      end_ = std::max(end_, span.start + span.length);
    }
  }
  begins_.push_back(int(spans_.size()));
  if (!(end_ > 0)) end_ = 1;
}

QMarginsF LaneDrawing::margins(QSizeF) const {
  return {labels_, axisHeight, right, 8};
}

double LaneDrawing::rowHeight(QSizeF size) const {
  return std::clamp((size.height() - axisHeight - 8) / std::max(1, rows()), lowestLane, highestLane);
}

void LaneDrawing::paint(QPainter& painter, const Canvas& canvas) const {
  paintTopAxis(painter, canvas, "s", std::nan(""));
  painter.save();
  painter.setClipRect(
      QRectF(canvas.all.left(), canvas.plot.top(), canvas.all.width(), canvas.plot.height() + 1),
      Qt::IntersectClip);
  paintChosen(painter, canvas);
  for (int lane = 0; lane < rows(); ++lane) paintLane(painter, canvas, lane);
  painter.restore();
}

// The lanes of the one whose time it is, from edge to edge; the others do not belong to it.
void LaneDrawing::paintChosen(QPainter& painter, const Canvas& canvas) const {
  if (!canvas.chosen) return;
  const double left = std::max(canvas.plot.left(), canvas.atX(canvas.chosen->from)),
               end = std::min(canvas.plot.right(), canvas.atX(canvas.chosen->to));
  if (end < canvas.plot.left() || left > canvas.plot.right()) return;
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (int lane = 0; lane < rows(); ++lane) {
    if (chart_.lanes[size_t(lane)].owner != canvas.chosen->owner) continue;
    const QRectF area = canvas.row(lane);
    const QRectF band(QPointF(left, area.top()), QPointF(std::max(end, left + 2), area.bottom()));
    painter.fillRect(band, canvas.theme.selected);
    painter.setPen(canvas.theme.accent);
    painter.drawLine(band.topLeft(), band.bottomLeft());
    painter.drawLine(band.topRight(), band.bottomRight());
  }
}

void LaneDrawing::paintLane(QPainter& painter, const Canvas& canvas, int lane) const {
  const QRectF area = canvas.row(lane);
  if (area.bottom() < canvas.plot.top() || area.top() > canvas.plot.bottom()) return;
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(canvas.theme.border);
  painter.drawLine(QPointF(canvas.all.left(), area.top()), QPointF(canvas.all.right(), area.top()));
  painter.drawLine(QPointF(canvas.all.left(), area.bottom()), QPointF(canvas.all.right(), area.bottom()));
  painter.setFont(textFont(12));
  painter.setPen(canvas.theme.secondary);
  painter.drawText(QRectF(12, area.top(), labels_ - 18, area.height()), int(Qt::AlignLeft | Qt::AlignVCenter),
                   qtText(chart_.lanes[size_t(lane)].label));
  painter.save();
  painter.setClipRect(area.adjusted(0, 0, right, 0), Qt::IntersectClip);
  painter.setFont(textFont(11, QFont::Medium));
  painter.setRenderHint(QPainter::Antialiasing);
  double drawnTo = -1;
  Tone drawnTone = Tone::neutral;
  for (int mark = begins_[size_t(lane)]; mark < begins_[size_t(lane) + 1]; ++mark) {
    const Span& span = *spans_[size_t(mark)].span;
    if (span.start > canvas.x.high || span.start + span.length < canvas.x.low) continue;
    const QRectF rect = markRect(mark, canvas).intersected(area.adjusted(-8, 0, 8 + right, 0));
    const bool isLit = mark == canvas.highlighted;
    // Thousands of calls may fall on one pixel; drawing one of them is enough.
    if (rect.width() < 2 && rect.right() <= drawnTo && span.tone == drawnTone && !isLit) continue;
    drawnTo = rect.right(), drawnTone = span.tone;
    const QColor color = spanColor(canvas.theme, span.tone);
    painter.setPen(isLit              ? QPen(canvas.theme.text, 1.2)
                   : rect.width() > 4 ? QPen(canvas.theme.window, 1)
                                      : QPen(Qt::NoPen));
    painter.setBrush(isLit ? color.lighter(112) : color);
    painter.drawRoundedRect(rect, rect.width() > 6 ? 3 : 0, rect.width() > 6 ? 3 : 0);
    if (rect.width() < 24) continue;
    painter.setPen(inkOn(color));
    const QRectF text = rect.intersected(area).adjusted(6, 0, -5, 0);
    painter.drawText(text, int(Qt::AlignLeft | Qt::AlignVCenter),
                     painter.fontMetrics().elidedText(qtText(span.label), Qt::ElideRight, int(text.width())));
  }
  painter.restore();
}

QRectF LaneDrawing::markRect(int mark, const Canvas& canvas) const {
  const Mark& one = spans_[size_t(mark)];
  const QRectF in = canvas.row(one.lane);
  const double left = canvas.atX(one.span->start), end = canvas.atX(one.span->start + one.span->length);
  return {left, in.top() + 7, std::max(1.5, end - left), in.height() - 14};
}

int LaneDrawing::markAt(QPointF at, const Canvas& canvas) const {
  const int lane = canvas.rowAt(at.y());
  if (!canvas.plot.adjusted(0, 0, right, 0).contains(at) || lane < 0 || lane >= rows()) return -1;
  for (int mark = begins_[size_t(lane) + 1] - 1; mark >= begins_[size_t(lane)];
       --mark)  // nested ones are later
    if (markRect(mark, canvas).adjusted(-2, -6, 2, 6).contains(at)) return mark;
  return -1;
}

QString LaneDrawing::words(int mark) const {
  const Span& span = *spans_[size_t(mark)].span;
  return qtText(span.detail.empty() ? span.label : span.detail);
}

std::optional<Scale> LaneDrawing::closeUp(int mark) const {
  const Span& span = *spans_[size_t(mark)].span;
  const double low = std::max(0.0, span.start - span.length * 0.15);
  return Scale{low, std::min(end_ * 1.02, span.start + span.length * 1.15), false};
}

std::optional<Stretch> LaneDrawing::stretchOf(int mark) const {
  const Mark& one = spans_[size_t(mark)];
  const std::optional<Side> owner = chart_.lanes[size_t(one.lane)].owner;
  if (!owner) return std::nullopt;
  return Stretch{*owner, one.span->start, one.span->start + one.span->length};
}

std::optional<Stretch> LaneDrawing::stretchBetween(QPointF a, QPointF b, const Canvas& canvas) const {
  const int lane = canvas.rowAt(a.y());
  if (lane < 0 || lane >= rows() || !chart_.lanes[size_t(lane)].owner) return std::nullopt;
  const auto at = [&canvas](const QPointF& point) {
    return canvas.x.valueAt(std::clamp((point.x() - canvas.plot.left()) / canvas.plot.width(), 0.0, 1.0));
  };
  // As a list, which is copied: of two temporaries it would give references.
  const auto [from, to] = std::minmax({at(a), at(b)});
  return Stretch{*chart_.lanes[size_t(lane)].owner, from, to};
}

}  // namespace wb
