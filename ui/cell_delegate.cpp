// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cell_delegate.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/table_model.h"
#include "ui/theme.h"

namespace wb {
namespace {

void paintPill(QPainter& painter, const QRect& rect, const QString& text, const Theme& theme, Tone tone) {
  const QFontMetrics metrics = painter.fontMetrics();
  const int width = std::min(metrics.horizontalAdvance(text) + 14, rect.width() - 6);
  const QRectF pill(rect.left() + 5, rect.center().y() - 9, width, 19);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(toneBackground(theme, tone));
  painter.drawRoundedRect(pill, 9, 9);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(tone == Tone::neutral ? theme.secondary : toneColor(theme, tone));
  painter.drawText(pill, Qt::AlignCenter, metrics.elidedText(text, Qt::ElideRight, width - 8));
}

}  // namespace

bool CellDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                             const QModelIndex& index) {
  if (event->type() != QEvent::ToolTip || !index.isValid())
    return QStyledItemDelegate::helpEvent(event, view, option, index);
  const QString text = index.data(Qt::DisplayRole).toString();
  const QString detail = index.data(Qt::ToolTipRole).toString();
  const bool cut = text.contains(QLatin1Char('\n')) ||
                   option.fontMetrics.horizontalAdvance(text) > option.rect.width() - 16;
  QStringList parts;
  if (cut) parts << text;
  if (!detail.isEmpty() && detail != text) parts << detail;
  QString tip = parts.join(QLatin1Char('\n')).toHtmlEscaped();
  tip.replace(QLatin1Char('\n'), QLatin1String("<br>"));
  // Rich text wraps; plain text would be as wide as its longest line.
  if (!tip.isEmpty()) tip = QStringLiteral("<qt>%1</qt>").arg(tip);
  QToolTip::showText(event->globalPos(), tip, view, option.rect);
  return true;
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
  const Theme& theme = themeOf(option.palette);
  const bool selected = option.state & QStyle::State_Selected;
  if (selected)
    painter->fillRect(option.rect, theme.selected);
  else if (option.state & QStyle::State_MouseOver)
    painter->fillRect(option.rect, theme.hover);
  const QString text = index.data(Qt::DisplayRole).toString();
  const Tone tone = Tone(index.data(TableModel::toneRole).toInt());
  painter->save();
  painter->setFont(option.font);
  if (pills_.contains(index.column()) && !text.isEmpty()) {
    paintPill(*painter, option.rect, text, theme, tone);
  } else {
    const int flags = index.data(Qt::TextAlignmentRole).toInt() | Qt::TextSingleLine;
    const QRect rect = option.rect.adjusted(8, 0, -8, 0);
    QString first = text;
    if (const auto end = first.indexOf(QLatin1Char('\n')); end >= 0)
      first = first.left(end) + QStringLiteral(" …");
    painter->setPen(toneColor(theme, tone));
    painter->drawText(rect, flags, painter->fontMetrics().elidedText(first, Qt::ElideRight, rect.width()));
  }
  QColor line = theme.border;
  line.setAlphaF(theme.dark ? 0.55f : 0.7f);
  painter->setPen(line);
  painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
  painter->restore();
}

}  // namespace wb
