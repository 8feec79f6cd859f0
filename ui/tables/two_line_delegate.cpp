// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/two_line_delegate.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QIcon>
#include <QPainter>
#include <algorithm>

#include "ui/style/fonts.h"
#include "ui/style/icon.h"
#include "ui/style/theme.h"

namespace wb {
namespace {

/// The border and padding of style.cpp, with some space to spare.
constexpr int popupPadding = 8;
constexpr int tickWidth = 44, tickSize = 16;

void paintHeading(QPainter& painter, const QRect& rect, const QString& text, const Theme& theme) {
  painter.setFont(textFont(11, QFont::DemiBold));
  painter.setPen(theme.muted);
  painter.drawText(rect.adjusted(8, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
}

void paintNote(QPainter& painter, const QRect& rect, const QString& text, const Theme& theme) {
  painter.fillRect(QRect(rect.left() + 8, rect.top() + 3, rect.width() - 16, 1), theme.border);
  painter.setFont(textFont(12));
  painter.setPen(theme.muted);
  painter.drawText(rect.adjusted(10, 5, -8, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
}

// As the style sheet has check boxes.
void paintTick(QPainter& painter, const QRect& area, bool isTicked, bool isUnderMouse, const Theme& theme) {
  QRectF box(0, 0, tickSize, tickSize);
  box.moveCenter(QRectF(area).center());
  painter.setPen(isTicked || isUnderMouse ? theme.accent : theme.muted);
  painter.setBrush(isTicked ? theme.accent : theme.field);
  painter.drawRoundedRect(box, 4, 4);
  if (isTicked) icon(QStringLiteral("check"), IconTone::onAccent).paint(&painter, box.toAlignedRect());
}

}  // namespace

QRect TwoLineDelegate::tickArea(const QRect& item) {
  return item.adjusted(item.width() - tickWidth, 0, 0, 0);
}

QSize TwoLineDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
  return {200, index.data(noteRole).isValid() ? 36 : index.data(headingRole).toBool() ? 30 : 50};
}

void TwoLineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
  const Theme& theme = themeOf(option.palette);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  const QRect rect = option.rect.adjusted(2, 1, -2, -1);
  if (index.data(headingRole).toBool()) {
    paintHeading(*painter, rect, index.data().toString(), theme);
    painter->restore();
    return;
  }
  if (const QVariant note = index.data(noteRole); note.isValid()) {
    paintNote(*painter, rect, note.toString(), theme);
    painter->restore();
    return;
  }
  const bool selected = option.state & QStyle::State_Selected;
  if (selected || (option.state & QStyle::State_MouseOver)) {
    painter->setPen(Qt::NoPen);
    painter->setBrush(selected ? theme.selected : theme.hover);
    painter->drawRoundedRect(rect, 6, 6);
  }
  const auto picture = index.data(Qt::DecorationRole).value<QIcon>();
  picture.paint(painter, QRect(rect.left() + 10, rect.top() + 7, 18, 18));
  const QVariant tick = index.data(Qt::CheckStateRole);
  if (tick.isValid())
    paintTick(*painter, tickArea(option.rect), tick == Qt::Checked, option.state & QStyle::State_MouseOver,
              theme);
  const QRect words = rect.adjusted(38, 5, tick.isValid() ? -tickWidth : -8, -5);
  const auto line = [&](const QString& text, Qt::AlignmentFlag side) {
    painter->drawText(words, Qt::AlignLeft | side,
                      painter->fontMetrics().elidedText(text, Qt::ElideRight, words.width()));
  };
  painter->setFont(textFont(13, QFont::Medium));
  painter->setPen(theme.text);
  line(index.data().toString(), Qt::AlignTop);
  painter->setFont(textFont(12));
  painter->setPen(theme.secondary);
  line(index.data(summaryRole).toString(), Qt::AlignBottom);
  painter->restore();
}

void fitPopup(QComboBox& box) {
  const QAbstractItemView& rows = *box.view();
  // The box forgets the style sheet's padding, and would scroll for a few pixels.
  int wanted = 2 * popupPadding;
  for (int i = 0; i < std::min(box.count(), box.maxVisibleItems()); ++i) wanted += rows.sizeHintForRow(i);
  QWidget* popup = rows.window();
  popup->resize(popup->width(), std::max(popup->height(), wanted));
}

}  // namespace wb
