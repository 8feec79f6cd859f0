// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>
#include <optional>
#include <vector>

#include "core/figures/figure.h"
#include "ui/tables/text_measure.h"

namespace wb {

/// Paints a table's cells directly, in about half the time of the styled way: text in its tone's colour,
/// verdicts as pills, shares as bars behind their numbers, and ratios with a bar and its interval beside
/// them. It is for TableModel alone.
class CellDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  explicit CellDelegate(QObject* parent) : QStyledItemDelegate(parent) {}
  /// The room in a cell for the bar of a ratio, in pixels.
  static constexpr int ratioBarWidth = 96;
  /// Names that do not fit go on in a second line of this font, in rows that are at least so high, in pixels.
  static constexpr int twoLineHeight = 26;
  [[nodiscard]] static QFont smallFont(const QFont& usual);
  /// Says what the columns are, and how far bars of ratios reach (Table::span).
  void setTable(const Table& table);
  /// Sets the column whose text stands only where it changes, as a heading of the rows below; -1 is none.
  void setGroupColumn(int column) { group_ = column; }
  /// Paints everything pale, since it is not about what the user looks at now.
  void setFaded(bool faded) { isFaded_ = faded; }
  [[nodiscard]] bool isFaded() const { return isFaded_; }
  /// Shows a tooltip with the whole text where it does not fit, and the cell's detail.
  bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                 const QModelIndex& index) override;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  [[nodiscard]] int placeInGroup(const QModelIndex& index) const;
  void paintGroup(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                  int line) const;
  void paintText(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                 const QString& text) const;

  void paintInTwoLines(QPainter& painter, const QRect& rect, const QString& text) const;
  [[nodiscard]] ColumnKind kindOf(int column) const;
  void paintCell(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                 const Cell& cell, int placeInGroup) const;
  void paintFocus(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;

  std::vector<ColumnKind> kinds_;
  double span_ = 2;
  bool isFaded_ = false;
  int group_ = -1;
  /// Measures names in small letters; it is made for the font that was painted with last.
  mutable std::optional<TextMeasure> small_;
};

}  // namespace wb
