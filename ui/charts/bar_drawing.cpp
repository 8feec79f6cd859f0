// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/bar_drawing.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "core/figures/cells.h"
#include "ui/charts/chart_colors.h"
#include "ui/style/fonts.h"

namespace wb {
namespace {

constexpr double axisHeight = 26, edge = 10;

}  // namespace

BarDrawing::BarDrawing(const BarChart& chart) : chart_(chart) {
  const QFontMetricsF names(textFont(12)), numbers(textFont(12, QFont::DemiBold));
  for (const Bar& bar : chart_.bars) {
    labels_ = std::max(labels_, std::ceil(names.horizontalAdvance(qtText(bar.label))));
    values_ = std::max(values_, std::ceil(numbers.horizontalAdvance(qtText(bar.text))));
  }
}

bool BarDrawing::isStacked(QSizeF size) const {
  return labels_ > 0.45 * size.width();
}

QMarginsF BarDrawing::margins(QSizeF size) const {
  return {isStacked(size) ? edge : labels_ + edge + 12, axisHeight, values_ + 2 * edge, 6};
}

void BarDrawing::paint(QPainter& painter, const Canvas& canvas) const {
  paintTopAxis(painter, canvas, chart_.linear ? "%" : "×", chart_.base);
  painter.save();
  painter.setClipRect(QRectF(canvas.all.left(), canvas.plot.top(), canvas.all.width(), canvas.plot.height()),
                      Qt::IntersectClip);
  painter.setRenderHint(QPainter::Antialiasing);
  const int last = std::min(rows() - 1, canvas.rowAt(canvas.plot.bottom()));
  for (int i = std::max(0, canvas.rowAt(canvas.plot.top())); i <= last; ++i) paintBar(painter, canvas, i);
  painter.restore();
}

QRectF BarDrawing::markRect(int mark, const Canvas& canvas) const {
  const auto x = [&](double value) {
    if (!std::isfinite(value) || (canvas.x.logarithmic && value <= 0)) value = chart_.base;
    return std::clamp(canvas.atX(value), canvas.plot.left(), canvas.plot.right());
  };
  const double from = x(chart_.base), to = x(chart_.bars[size_t(mark)].value);
  const QRectF row = canvas.row(mark);
  const bool isStacked = row.height() > 30;
  const double height = 14, top = isStacked ? row.bottom() - height - 5 : row.center().y() - height / 2;
  return {std::min(from, to), top, std::max(1.0, std::abs(to - from)), height};
}

void BarDrawing::paintBar(QPainter& painter, const Canvas& canvas, int index) const {
  const Bar& bar = chart_.bars[size_t(index)];
  const QRectF row = canvas.row(index), rect = markRect(index, canvas);
  if (index == canvas.highlighted) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(canvas.theme.hover);
    painter.drawRoundedRect(QRectF(4, row.top(), canvas.all.width() - 8, row.height()), 5, 5);
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(chart_.linear && bar.tone == Tone::neutral ? canvas.theme.barGood
                                                              : barColor(canvas.theme, bar.tone));
  painter.drawRoundedRect(rect, 2.5, 2.5);
  if (bar.low > 0 && bar.high > bar.low) {
    const auto inside = [&](double value) {
      return QPointF(std::clamp(canvas.atX(value), canvas.plot.left() + 1, canvas.plot.right() - 1),
                     rect.center().y());
    };
    painter.setPen(QPen(canvas.theme.text, 1.2));
    paintInterval(painter, inside(bar.low), inside(bar.high), clipped(bar.low, bar.high, canvas.x));
  }
  painter.setFont(textFont(12));
  painter.setPen(canvas.theme.text);
  const bool isStacked = row.height() > 30;
  const QString label = qtText(bar.label);
  if (isStacked) {
    // Only a name that is wider than the whole chart is cut; it stands in full where the pointer rests.
    const QRectF place(edge, row.top() + 3, canvas.all.width() - 2 * edge, 17);
    painter.drawText(place, int(Qt::AlignLeft | Qt::AlignVCenter),
                     painter.fontMetrics().elidedText(label, Qt::ElideMiddle, int(place.width())));
  } else {
    painter.drawText(QRectF(edge, row.top(), canvas.plot.left() - edge - 12, row.height()),
                     int(Qt::AlignRight | Qt::AlignVCenter), label);
  }
  const bool isKnown = bar.tone != Tone::muted;
  painter.setFont(isKnown ? textFont(12, QFont::DemiBold) : textFont(12));
  painter.setPen(isKnown ? canvas.theme.text : canvas.theme.muted);
  painter.drawText(QRectF(canvas.plot.right() + edge, rect.top() - 3, values_ + 2, rect.height() + 6),
                   int(Qt::AlignRight | Qt::AlignVCenter), qtText(bar.text));
}

int BarDrawing::markAt(QPointF at, const Canvas& canvas) const {
  if (at.y() < canvas.plot.top() || at.y() >= canvas.plot.bottom()) return -1;
  const int row = canvas.rowAt(at.y());
  return row >= 0 && row < rows() ? row : -1;
}

QString BarDrawing::words(int mark) const {
  const Bar& bar = chart_.bars[size_t(mark)];
  QString text = qtText(bar.label) + QLatin1Char('\n') + qtText(bar.text);
  if (!chart_.linear && bar.low > 0 && bar.low < bar.high)
    text += QStringLiteral(" · 95 % ") + qtText(intervalText(bar.low, bar.high));
  return text;
}

}  // namespace wb
