// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/flow_drawing.h"

#include <QFontMetricsF>
#include <QPolygonF>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_colors.h"
#include "ui/style/fonts.h"

namespace wb {
namespace {

/// A text whose numbers keep their units when it is wrapped.
QString wrappable(std::string_view text) {
  return qtText(text).replace(QStringLiteral(" %"), QStringLiteral("\u00A0%"));
}

/// How much of a column is box, the rest being for what flows; and how much of a row.
constexpr double boxShare = 0.48, boxRowShare = 0.76;
/// In a chart that is narrower than this, in pixels, words beside each other would be cut, so it goes
/// downwards.
constexpr double leastAcross = 540;
/// The room from the edge of such a chart to its first arrows, in pixels: "1.05 M stores".
constexpr double leastLeft = 108;
/// How much of a level is box in a chart that goes downwards.
constexpr double boxHeightShare = 0.47;
/// A row is no higher than this, so that the picture stays one.
constexpr double highestRow = 190;

}  // namespace

FlowDrawing::FlowDrawing(const FlowChart& chart) : chart_(chart) {
  for (const FlowNode& node : chart_.nodes) {
    columns_ = std::max(columns_, node.column + 1);
    rows_ = std::max(rows_, node.row + node.rows);
  }
}

QMarginsF FlowDrawing::margins(QSizeF size) const {
  const double note = chart_.note.empty() ? 8 : 40;
  const double rows = size.width() < leastAcross ? columns_ : rows_;
  return {12, 8, 12, std::max(note, size.height() - 8 - rows * highestRow)};
}

bool FlowDrawing::isUpright(const Canvas& canvas) const {
  return canvas.all.width() < leastAcross;
}

QRectF FlowDrawing::boxOf(const FlowNode& node, const Canvas& canvas) const {
  if (isUpright(canvas)) {
    const double unitX = 1 / (rows_ - 1 + boxRowShare), unitY = 1 / (columns_ - 1 + boxHeightShare);
    const double left = node.row * unitX, right = left + (node.rows - 1 + boxRowShare) * unitX;
    const double top = node.column * unitY, bottom = top + boxHeightShare * unitY;
    return {canvas.at(left, 1 - top), canvas.at(right, 1 - bottom)};
  }
  // The grid fills the plot, with boxes at both ends.
  const double unitX = 1 / (columns_ - 1 + boxShare), unitY = 1 / (rows_ - 1 + boxRowShare);
  const double left = node.column * unitX, right = left + boxShare * unitX;
  const double top = node.row * unitY, bottom = top + (node.rows - 1 + boxRowShare) * unitY;
  const QPointF from = canvas.at(left, 1 - top), to = canvas.at(right, 1 - bottom);
  return QRectF(from, to);
}

void FlowDrawing::paint(QPainter& painter, const Canvas& canvas) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  if (!chart_.note.empty()) {
    painter.setFont(textFont(12));
    painter.setPen(canvas.theme.secondary);
    const QRectF place(canvas.plot.left(), canvas.all.bottom() - 24, canvas.plot.width(), 18);
    painter.drawText(
        place, int(Qt::AlignLeft | Qt::AlignVCenter),
        painter.fontMetrics().elidedText(qtText(chart_.note), Qt::ElideRight, int(place.width())));
  }
  painter.setClipRect(canvas.all, Qt::IntersectClip);
  for (int i = int(chart_.nodes.size()); i < marks(); ++i) paintLink(painter, canvas, i);
  for (int i = 0; i < int(chart_.nodes.size()); ++i) paintNode(painter, canvas, i);
  painter.restore();
}

void FlowDrawing::paintNode(QPainter& painter, const Canvas& canvas, int index) const {
  const FlowNode& node = chart_.nodes[size_t(index)];
  const QRectF box = boxOf(node, canvas);
  painter.setPen(QPen(index == canvas.highlighted ? canvas.theme.accent : canvas.theme.strongBorder, 1));
  painter.setBrush(canvas.theme.hover);
  painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  if (isUpright(canvas)) return paintWords(painter, canvas, node, box);
  // Titles and texts take as many lines as they need, in the middle of the box.
  const int wraps = int(Qt::AlignHCenter | Qt::AlignTop) | int(Qt::TextWordWrap);
  const QRectF inner = box.adjusted(5, 4, -5, std::isnan(node.share) ? -4 : -16);
  const QFont titleFont = textFont(13, QFont::DemiBold), font = textFont(12);
  const QRectF title = QFontMetricsF(titleFont).boundingRect(inner, wraps, qtText(node.title));
  const QRectF text =
      node.text.empty() ? QRectF() : QFontMetricsF(font).boundingRect(inner, wraps, wrappable(node.text));
  const double top = inner.center().y() - (title.height() + text.height()) / 2;
  painter.setFont(titleFont);
  painter.setPen(canvas.theme.text);
  painter.drawText(QRectF(inner.left(), top, inner.width(), title.height() + 2), wraps, qtText(node.title));
  if (node.text.empty()) return;
  painter.setFont(font);
  painter.setPen(std::isnan(node.share) ? canvas.theme.muted : canvas.theme.secondary);
  painter.drawText(QRectF(inner.left(), top + title.height(), inner.width(), text.height() + 2), wraps,
                   wrappable(node.text));
  if (std::isnan(node.share)) return;
  const QRectF level(box.left() + 12, box.bottom() - 12, box.width() - 24, 4);
  painter.setPen(Qt::NoPen);
  painter.setBrush(canvas.theme.border);
  painter.drawRoundedRect(level, 2, 2);
  painter.setBrush(canvas.theme.accent);
  painter.drawRoundedRect(QRectF(level.topLeft(), QSizeF(level.width() * node.share, level.height())), 2, 2);
}

/// Title and text of a low box share a line where they fit beside each other.
void FlowDrawing::paintWords(QPainter& painter, const Canvas& canvas, const FlowNode& node,
                             const QRectF& box) const {
  const QFont titleFont = textFont(12, QFont::DemiBold), font = textFont(11);
  const QRectF inner = box.adjusted(4, 0, -4, 0);
  const QString title = qtText(node.title), text = wrappable(node.text);
  const double titleWidth = QFontMetricsF(titleFont).horizontalAdvance(title);
  const double textWidth = text.isEmpty() ? 0 : QFontMetricsF(font).horizontalAdvance(text);
  const bool isBeside = text.isEmpty() || titleWidth + 8 + textWidth <= inner.width();
  const double gap = textWidth > 0 ? 8 : 0, half = inner.height() / 2;
  const QRectF titleAt = isBeside ? QRectF(inner.center().x() - (titleWidth + gap + textWidth) / 2,
                                           inner.top(), titleWidth + 2, inner.height())
                                  : QRectF(inner.left(), inner.center().y() - std::min(half, 16.0),
                                           inner.width(), std::min(half, 16.0));
  painter.setFont(titleFont);
  painter.setPen(canvas.theme.text);
  painter.drawText(titleAt, int(isBeside ? Qt::AlignLeft : Qt::AlignHCenter) | int(Qt::AlignVCenter),
                   painter.fontMetrics().elidedText(title, Qt::ElideRight, int(inner.width())));
  if (text.isEmpty()) return;
  const QRectF textAt = isBeside
                            ? QRectF(titleAt.right() + gap - 2, inner.top(), textWidth + 2, inner.height())
                            : QRectF(inner.left(), inner.center().y(), inner.width(), titleAt.height());
  painter.setFont(font);
  painter.setPen(std::isnan(node.share) ? canvas.theme.muted : canvas.theme.secondary);
  painter.drawText(textAt, int(isBeside ? Qt::AlignLeft : Qt::AlignHCenter) | int(Qt::AlignVCenter),
                   painter.fontMetrics().elidedText(text, Qt::ElideRight, int(textAt.width()) + 1));
}

/// The link runs in the gap between its boxes, level with the smaller one: what goes right above what comes
/// left.
QRectF FlowDrawing::markRect(int mark, const Canvas& canvas) const {
  if (mark < int(chart_.nodes.size())) return boxOf(chart_.nodes[size_t(mark)], canvas);
  const FlowLink& link = chart_.links[size_t(mark) - chart_.nodes.size()];
  const bool forth = chart_.nodes[link.from].column < chart_.nodes[link.to].column;
  const QRectF left = boxOf(chart_.nodes[forth ? link.from : link.to], canvas);
  const QRectF right = boxOf(chart_.nodes[forth ? link.to : link.from], canvas);
  if (isUpright(canvas)) {
    const QRectF& smaller = left.width() < right.width() ? left : right;
    // Left of what goes down at the chart's edge stands its amount.
    const double middle =
        std::min(std::max(smaller.center().x(), canvas.all.left() + leastLeft), smaller.right() - 12);
    const double room = smaller.width() / 2 + 16;
    return {forth ? middle - 3 - room : middle + 3, left.bottom() + 2, room, right.top() - left.bottom() - 4};
  }
  const double y = (left.height() < right.height() ? left : right).center().y() + (forth ? -3 : 3);
  return {left.right() + 3, forth ? y - 38 : y, right.left() - left.right() - 6, 38};
}

void FlowDrawing::paintLink(QPainter& painter, const Canvas& canvas, int index) const {
  const FlowLink& link = chart_.links[size_t(index) - chart_.nodes.size()];
  const bool forth = chart_.nodes[link.from].column < chart_.nodes[link.to].column;
  const QRectF area = markRect(index, canvas);
  const double y = forth ? area.bottom() - 5 : area.top() + 5;
  const bool isKnown = !link.text.empty();
  // Where nothing flows there is a way and no stream.
  const bool isDry = isKnown && link.share == 0;
  const QColor color = !isKnown || isDry             ? canvas.theme.strongBorder
                       : index == canvas.highlighted ? canvas.theme.accentHover
                                                     : canvas.theme.accent;
  QPen pen(color, 1.2 + (std::isnan(link.share) ? 0 : 4 * link.share));
  pen.setCapStyle(Qt::FlatCap);
  if (!isKnown) pen.setDashPattern({3, 3});
  painter.setPen(pen);
  if (isUpright(canvas)) {
    const double x = forth ? area.right() - 5 : area.left() + 5;
    const double from = forth ? area.top() : area.bottom(), to = forth ? area.bottom() : area.top();
    const double back = forth ? -8 : 8;
    painter.drawLine(QPointF(x, from), QPointF(x, to + back));
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF({QPointF(x, to), QPointF(x - 5, to + back), QPointF(x + 5, to + back)}));
    painter.setFont(textFont(11));
    painter.setPen(isKnown && !isDry ? canvas.theme.text : canvas.theme.muted);
    const double edge = forth ? std::max(area.left(), canvas.all.left() + 2) : x + 9;
    const double end = forth ? x - 9 : std::min(x + area.width() - 5, canvas.all.right() - 2);
    const QRectF text(edge, area.top(), end - edge, area.height());
    // Two lines that are higher than the gap would be cut; one that is a little too long reaches past the
    // box.
    const bool hasRoomForTwo = area.height() >= 2 * painter.fontMetrics().height();
    const int fits = hasRoomForTwo ? int(Qt::TextWordWrap) : int(Qt::TextSingleLine) | int(Qt::TextDontClip);
    painter.drawText(text, int(forth ? Qt::AlignRight : Qt::AlignLeft) | int(Qt::AlignVCenter) | fits,
                     isKnown ? qtText(link.text) : QStringLiteral("–"));
    return;
  }
  const double from = forth ? area.left() : area.right(), to = forth ? area.right() : area.left();
  const double back = forth ? -9 : 9;
  painter.drawLine(QPointF(from, y), QPointF(to + back, y));
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawPolygon(QPolygonF({QPointF(to, y), QPointF(to + back, y - 5), QPointF(to + back, y + 5)}));
  painter.setFont(textFont(11));
  painter.setPen(isKnown && !isDry ? canvas.theme.text : canvas.theme.muted);
  const QRectF text(area.left() - 2, forth ? y - 35 : y + 5, area.width() + 4, 30);
  painter.drawText(text,
                   int(Qt::AlignHCenter | (forth ? Qt::AlignBottom : Qt::AlignTop)) | int(Qt::TextWordWrap),
                   isKnown ? qtText(link.text) : QStringLiteral("–"));
}

int FlowDrawing::markAt(QPointF at, const Canvas& canvas) const {
  for (int i = 0; i < marks(); ++i)
    if (markRect(i, canvas).contains(at)) return i;
  return -1;
}

QString FlowDrawing::words(int mark) const {
  if (mark >= int(chart_.nodes.size()))
    return qtText(chart_.links[size_t(mark) - chart_.nodes.size()].detail);
  const FlowNode& node = chart_.nodes[size_t(mark)];
  QString text = qtText(node.title);
  if (!node.text.empty()) text += QStringLiteral(": ") + qtText(node.text);
  if (!node.detail.empty()) text += QLatin1Char('\n') + qtText(node.detail);
  return text;
}

}  // namespace wb
