// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cell_delegate.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/fonts.h"
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

bool CellDelegate::beginsGroup(const QModelIndex& index) const {
  const QModelIndex above = index.sibling(index.row() - 1, group_);
  return !above.isValid() || above.data() != index.sibling(index.row(), group_).data();
}

void CellDelegate::paintText(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                             const QString& text) const {
  const Theme& theme = themeOf(option.palette);
  QString first = text;
  if (const auto end = first.indexOf(QLatin1Char('\n')); end >= 0)
    first = first.left(end) + QStringLiteral(" …");
  const int flags = index.data(Qt::TextAlignmentRole).toInt() | Qt::TextSingleLine;
  const QRect rect = option.rect.adjusted(8, 0, -8, 0);
  painter.setPen(toneColor(theme, Tone(index.data(TableModel::toneRole).toInt())));
  if (index.column() == group_) {
    QFont strong = option.font;
    strong.setWeight(QFont::DemiBold);
    painter.setFont(strong);
    painter.setPen(theme.text);
  } else if (code_.contains(index.column())) {
    painter.setFont(codeFont(12));
  }
  painter.drawText(rect, flags, painter.fontMetrics().elidedText(first, Qt::ElideRight, rect.width()));
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
  const Theme& theme = themeOf(option.palette);
  if (option.state & QStyle::State_Selected)
    painter->fillRect(option.rect, theme.selected);
  else if (markedLine_ > 0 && index.data(TableModel::lineRole).toInt() == markedLine_)
    painter->fillRect(option.rect, theme.accentSoft);
  else if (option.state & QStyle::State_MouseOver)
    painter->fillRect(option.rect, theme.hover);
  const QString text = index.data(Qt::DisplayRole).toString();
  const bool grouped = group_ >= 0, begins = !grouped || beginsGroup(index);
  painter->save();
  painter->setFont(option.font);
  if (const double share = index.data(TableModel::barRole).toDouble(); share > 0) {
    // Thin and below the number: it must not take the number's contrast.
    const QRectF track(option.rect.left() + 8, option.rect.bottom() - 4.5, option.rect.width() - 16, 2.5);
    QRectF bar = track;
    bar.setWidth(std::max(1.0, track.width() * std::min(share, 1.0)));
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme.grid);
    painter->drawRoundedRect(track, 1.2, 1.2);
    painter->setBrush(theme.barGood);
    painter->drawRoundedRect(bar, 1.2, 1.2);
    painter->setRenderHint(QPainter::Antialiasing, false);
  }
  if (pills_.contains(index.column()) && !text.isEmpty())
    paintPill(*painter, option.rect, text, theme, Tone(index.data(TableModel::toneRole).toInt()));
  else if (index.column() != group_ || begins)
    paintText(*painter, option, index, text);
  QColor line = theme.border;
  line.setAlphaF(theme.dark ? 0.55f : 0.7f);
  painter->setPen(line);
  if (!grouped || index.column() != group_)
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
  if (grouped && begins && index.row() > 0) {
    painter->setPen(theme.strongBorder);
    painter->drawLine(option.rect.topLeft(), option.rect.topRight());
  }
  painter->restore();
}

}  // namespace wb
