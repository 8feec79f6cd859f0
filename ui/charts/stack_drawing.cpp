// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/stack_drawing.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "core/base/quantity.h"
#include "ui/charts/chart_colors.h"
#include "ui/style/fonts.h"

namespace wb {
namespace {

constexpr double axisHeight = 26, edge = 10, legendRow = 20, aroundLegend = 18, sumWidth = 58, swatch = 10;

}  // namespace

StackDrawing::StackDrawing(const StackChart& chart) : chart_(chart) {
  const QFontMetricsF metrics(textFont(12));
  for (std::size_t r = 0; r < chart_.rows.size(); ++r) {
    const StackRow& row = chart_.rows[r];
    labels_ = std::max(labels_, std::ceil(metrics.horizontalAdvance(qtText(row.label))));
    double from = 0;
    for (std::size_t k = 0; k < row.shares.size(); ++k) {
      if (row.shares[k] > 0) parts_.push_back({r, k, from, row.shares[k]});
      from += row.shares[k];
    }
  }
  labels_ = std::min(labels_, 260.0);
  for (const StackKey& key : chart_.keys) {
    const QString text = qtText(key.meaning.empty() ? key.label : key.label + ": " + key.meaning);
    keys_ = std::max(keys_, std::ceil(metrics.horizontalAdvance(text)) + swatch + 74);
  }
}

// Meanings are cut before the bars lose their room; they stand in full where the pointer rests on a part.
int StackDrawing::legendColumns(double width) const {
  const double wanted = chart_.keys.size() > 5 ? std::min(keys_, 265.0) : keys_;
  return std::clamp(int((width - 2 * edge) / std::max(120.0, wanted)), 1, 3);
}

/// How many lines of the legend there are: in a low chart the bars matter more, but take no more than theirs.
int StackDrawing::legendLines(QSizeF size) const {
  const int columns = legendColumns(size.width());
  const int wanted = (int(chart_.keys.size()) + columns - 1) / columns;
  const double leftByBars = size.height() - axisHeight - rows() * rowHeight(size);
  const double room = std::max(size.height() * 0.55, leftByBars) - aroundLegend;
  return std::clamp(int(room / legendRow), 0, wanted);
}

QMarginsF StackDrawing::margins(QSizeF size) const {
  return {labels_ + edge + 12, axisHeight, sumWidth + edge, legendLines(size) * legendRow + aroundLegend};
}

void StackDrawing::paint(QPainter& painter, const Canvas& canvas) const {
  paintTopAxis(painter, canvas, "%", 0);
  paintLegend(painter, canvas);
  painter.save();
  painter.setClipRect(QRectF(canvas.all.left(), canvas.plot.top(), canvas.all.width(), canvas.plot.height()),
                      Qt::IntersectClip);
  for (int r = 0; r < rows(); ++r) {
    const QRectF row = canvas.row(r);
    const StackRow& stack = chart_.rows[size_t(r)];
    double all = 0;
    for (const double share : stack.shares) all += share;
    painter.setFont(textFont(12));
    painter.setPen(canvas.theme.text);
    painter.drawText(QRectF(edge, row.top(), canvas.plot.left() - edge - 12, row.height()),
                     int(Qt::AlignRight | Qt::AlignVCenter),
                     painter.fontMetrics().elidedText(qtText(stack.label), Qt::ElideRight, int(labels_) + 1));
    painter.setFont(textFont(12, QFont::DemiBold));
    painter.drawText(QRectF(canvas.plot.right() + 4, row.top(), sumWidth, row.height()),
                     int(Qt::AlignRight | Qt::AlignVCenter), qtText(formatPercent(all)));
  }
  painter.setClipRect(canvas.plot, Qt::IntersectClip);
  painter.setRenderHint(QPainter::Antialiasing);
  for (int i = 0; i < marks(); ++i) {
    const QRectF rect = markRect(i, canvas);
    const QColor color = keyColor(canvas.theme, chart_, parts_[size_t(i)].which);
    painter.setPen(Qt::NoPen);
    painter.setBrush(i == canvas.highlighted ? color.lighter(canvas.theme.dark ? 120 : 112) : color);
    painter.drawRect(rect);
    if (i == canvas.highlighted) {
      painter.setPen(QPen(canvas.theme.text, 1.4));
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(rect.adjusted(0.7, 0.7, -0.7, -0.7));
    }
  }
  painter.restore();
}

/// The share beside a key is that of the row that is pointed at, else of the first.
void StackDrawing::paintLegend(QPainter& painter, const Canvas& canvas) const {
  const std::size_t row = canvas.highlighted < 0 ? 0 : parts_[size_t(canvas.highlighted)].row;
  const int columns = legendColumns(canvas.all.width());
  const int lines = (int(chart_.keys.size()) + columns - 1) / columns;
  const double width = (canvas.all.width() - 2 * edge) / columns;
  for (std::size_t k = 0; k < chart_.keys.size(); ++k) {
    const StackKey& key = chart_.keys[k];
    const double left = canvas.all.left() + edge + (int(k) / lines) * width;
    if (int(k) % lines >= legendLines(canvas.all.size())) continue;
    const double top = canvas.plot.bottom() + 12 + (int(k) % lines) * legendRow;
    painter.setPen(Qt::NoPen);
    painter.setBrush(keyColor(canvas.theme, chart_, k));
    painter.drawRoundedRect(QRectF(left, top + 5, swatch, swatch), 2, 2);
    painter.setFont(textFont(12, QFont::DemiBold));
    painter.setPen(canvas.theme.text);
    painter.drawText(QRectF(left + swatch + 6, top, 60, legendRow), int(Qt::AlignRight | Qt::AlignVCenter),
                     qtText(formatPercent(chart_.rows[row].shares[k])));
    painter.setFont(textFont(12));
    double x = left + swatch + 84;
    const QString label = qtText(key.label);
    painter.drawText(QRectF(x, top, left + width - x, legendRow), int(Qt::AlignLeft | Qt::AlignVCenter),
                     label);
    x += painter.fontMetrics().horizontalAdvance(label) + 6;
    // A meaning that does not fit is told where the pointer rests.
    const QString meaning = qtText(key.meaning);
    if (x + painter.fontMetrics().horizontalAdvance(meaning) > left + width - 8) continue;
    painter.setPen(canvas.theme.secondary);
    painter.drawText(QRectF(x, top, left + width - x, legendRow), int(Qt::AlignLeft | Qt::AlignVCenter),
                     meaning);
  }
}

QRectF StackDrawing::markRect(int mark, const Canvas& canvas) const {
  const Part& part = parts_[size_t(mark)];
  const QRectF row = canvas.row(int(part.row));
  const double from = canvas.atX(part.from), to = canvas.atX(part.from + part.share);
  return {from, row.center().y() - 8, std::max(0.6, to - from), 16};
}

int StackDrawing::markAt(QPointF at, const Canvas& canvas) const {
  if (!canvas.plot.contains(at)) return -1;
  for (int i = 0; i < marks(); ++i)
    if (markRect(i, canvas).adjusted(0, -5, 0, 5).contains(at)) return i;
  return -1;
}

QString StackDrawing::words(int mark) const {
  const Part& part = parts_[size_t(mark)];
  const StackRow& row = chart_.rows[part.row];
  const StackKey& key = chart_.keys[part.which];
  QString text = QStringLiteral("%1: %2 %3")
                     .arg(qtText(row.label), qtText(key.label), qtText(formatPercent(part.share)));
  if (!key.meaning.empty()) text += QLatin1Char('\n') + qtText(key.meaning);
  if (!row.detail.empty()) text += QLatin1Char('\n') + qtText(row.detail);
  return text;
}

std::string StackDrawing::rowId(int mark) const {
  return chart_.rows[parts_[size_t(mark)].row].rowId;
}

Place StackDrawing::place(int mark) const {
  return chart_.rows[parts_[size_t(mark)].row].place;
}

}  // namespace wb
