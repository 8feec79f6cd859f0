// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/cell_delegate.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/style/fonts.h"
#include "ui/style/theme.h"
#include "ui/tables/table_model.h"

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

// The bar is soft and behind the number, whose contrast it must not reduce.
void paintBar(QPainter& painter, const QRect& cell, double share, const Theme& theme) {
  const QRectF room = QRectF(cell).adjusted(4, 3.5, -4, -4.5);
  QRectF bar = room;
  bar.setWidth(std::max(2.0, room.width() * std::min(share, 1.0)));
  QColor soft = theme.accent;
  soft.setAlphaF(theme.dark ? 0.26f : 0.17f);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(soft);
  painter.drawRoundedRect(bar, 2.5, 2.5);
  painter.setRenderHint(QPainter::Antialiasing, false);
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

// How many rows of the same group stand above this one, as far as that matters.
int CellDelegate::placeInGroup(const QModelIndex& index) const {
  constexpr int most = 4;
  const QVariant name = index.sibling(index.row(), group_).data();
  int above = 0;
  while (above < most && index.sibling(index.row() - above - 1, group_).data() == name) ++above;
  return above;
}

bool CellDelegate::isMarked(const QModelIndex& index) const {
  return markedLine_ > 0 && index.data(TableModel::lineRole).toInt() == markedLine_ &&
         index.data(TableModel::fileRole).toString() == markedFile_;
}

// Paints a group's name; a long one goes on in the rows below, which have no name of their own.
void CellDelegate::paintGroup(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                              int line) const {
  const QString name = index.data(Qt::DisplayRole).toString();
  QFont strong = option.font;
  strong.setWeight(QFont::DemiBold);
  painter.setFont(strong);
  painter.setPen(themeOf(option.palette).text);
  const QRect rect = option.rect.adjusted(8, 0, -8, 0);
  const QFontMetrics metrics = painter.fontMetrics();
  const QModelIndex below = index.sibling(index.row() + 1, group_);
  QStringList lines{QString()};
  for (const QString& word : name.split(QLatin1Char(' '))) {
    const QString longer = lines.back().isEmpty() ? word : lines.back() + QLatin1Char(' ') + word;
    if (lines.back().isEmpty() || metrics.horizontalAdvance(longer) <= rect.width())
      lines.back() = longer;
    else
      lines << word;
  }
  if (line >= lines.size()) return;
  QString text = lines[line];
  if (below.data() != index.data() && line + 1 < lines.size()) text = lines.mid(line).join(QLatin1Char(' '));
  painter.drawText(rect, int(Qt::AlignLeft | Qt::AlignVCenter),
                   metrics.elidedText(text, Qt::ElideRight, rect.width()));
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
  if (code_.contains(index.column())) painter.setFont(codeFont(12));
  painter.drawText(rect, flags, painter.fontMetrics().elidedText(first, Qt::ElideRight, rect.width()));
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
  const Theme& theme = themeOf(option.palette);
  if (option.state & QStyle::State_Selected)
    painter->fillRect(option.rect, theme.selected);
  else if (isMarked(index))
    painter->fillRect(option.rect, theme.accentSoft);
  else if (option.state & QStyle::State_MouseOver)
    painter->fillRect(option.rect, theme.hover);
  const QString text = index.data(Qt::DisplayRole).toString();
  const bool grouped = group_ >= 0;
  const int place = grouped ? placeInGroup(index) : 0;
  painter->save();
  painter->setFont(option.font);
  if (const double share = index.data(TableModel::barRole).toDouble(); share > 0)
    paintBar(*painter, option.rect, share, theme);
  if (pills_.contains(index.column()) && !text.isEmpty())
    paintPill(*painter, option.rect, text, theme, Tone(index.data(TableModel::toneRole).toInt()));
  else if (grouped && index.column() == group_)
    // At the top of the view the name is repeated, so that the user always knows which group it is.
    paintGroup(
        *painter, option, index,
        std::min(place, std::max(0, (option.rect.top() + option.rect.height() - 1) / option.rect.height())));
  else
    paintText(*painter, option, index, text);
  QColor line = theme.border;
  line.setAlphaF(theme.dark ? 0.55f : 0.7f);
  painter->setPen(line);
  if (!grouped || index.column() != group_)
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
  if (grouped && place == 0 && index.row() > 0) {
    painter->setPen(theme.strongBorder);
    painter->drawLine(option.rect.topLeft(), option.rect.topRight());
  }
  painter->restore();
}

}  // namespace wb
