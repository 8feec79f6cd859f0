// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

class QComboBox;

namespace wb {

/// Paints items of two lines, title and summary (summaryRole), with an icon; an item with headingRole is a
/// heading of those below it, and one with a noteRole is that text about those above it. An item that has a
/// Qt::CheckStateRole has a box to tick at its end.
class TwoLineDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  enum Role { summaryRole = Qt::UserRole + 40, headingRole, noteRole };

  using QStyledItemDelegate::QStyledItemDelegate;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  /// Where an item with this rectangle is ticked; it is larger than the box.
  [[nodiscard]] static QRect tickArea(const QRect& item);
};

/// Makes the open list of a box as high as its rows are.
void fitPopup(QComboBox& box);

}  // namespace wb
