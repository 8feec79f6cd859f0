// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/figures/figure.h"
#include "ui/tables/row_finder.h"

class QToolButton;

namespace wb {

/// Buttons of which one is pressed: all rows, or those of one of a table's sets, each with its number.
class ChipRow : public QWidget {
  Q_OBJECT
 public:
  explicit ChipRow(QWidget* parent = nullptr);
  void setSets(const std::vector<RowSet>& sets, const RowCounts& counts);
  /// The set that is chosen; -1 for all rows.
  [[nodiscard]] int chosen() const { return chosen_; }
  void choose(int set);
  /// The button of a set, or with -1 the one of all rows; null for one that does not exist.
  [[nodiscard]] QToolButton* chip(int set) const;

 signals:
  void chosenChanged(int set);

 protected:
  /// The arrows go from button to button.
  void keyPressEvent(QKeyEvent* event) override;

 private:
  std::vector<QToolButton*> chips_;
  std::vector<RowSet> sets_;
  int chosen_ = -1;
};

}  // namespace wb
