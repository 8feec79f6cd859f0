// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <string>
#include <vector>

#include "core/figures/figure.h"
#include "ui/tables/text_measure.h"

class QHeaderView;
class QTableView;

namespace wb {

class TableModel;

/// Keeps the columns of a table's view: as wide as what they hold, in the order and number that the user has
/// chosen. Cells are measured a few at a time as they come, so that no table is too long for it.
class TableColumns : public QObject {
  Q_OBJECT
 public:
  TableColumns(QTableView& view, TableModel& model, QObject* parent = nullptr);

  /// The column that names groups; -1 without one.
  [[nodiscard]] int groupColumn() const { return group_; }
  /// What the user has chosen, as one line for the settings: the titles in their order, each with "-" before
  /// it where it is hidden, "+" where it is shown although it may be empty, and ":" and its width behind it
  /// where it was dragged; "" where nothing was chosen.
  [[nodiscard]] QString layout() const;
  void setLayout(const QString& layout);
  /// Forgets what was chosen.
  void reset();
  void setShown(int column, bool shown);
  [[nodiscard]] bool isShown(int column) const;
  /// The columns that are shown, from left to right.
  [[nodiscard]] std::vector<int> shownColumns() const;
  /// Whether every cell was measured.
  [[nodiscard]] bool isMeasured() const { return toMeasure_ == 0; }

 signals:
  /// The user has chosen something.
  void layoutChanged();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  enum class Choice { automatic, shown, hidden };
  struct State {
    Choice choice = Choice::automatic;
    /// The width that the user has dragged it to; 0 without one.
    int dragged = 0;
    /// The widest of what was measured; 0 where every cell was empty.
    int widest = 0;
    /// The same for names that stand on two lines of smaller letters.
    int widestHalf = 0;
  };
  void takeTable();
  void beginColumns();
  void applyOrder(const QStringList& entries);
  void measureVisible();
  void measureSome();
  void measureRow(std::size_t row);
  void fit();
  void choose();
  void showOrHide();
  [[nodiscard]] int fullWidth(std::size_t column) const;
  [[nodiscard]] int naturalWidth(std::size_t column) const;
  [[nodiscard]] int leastNameWidth(std::size_t column) const;
  [[nodiscard]] bool isName(std::size_t column) const;

  QTableView& view_;
  TableModel& model_;
  QHeaderView& header_;
  TextMeasure text_, small_, code_;
  std::vector<Column> columns_;
  std::vector<State> states_;
  QTimer rest_;
  std::size_t next_ = 0, toMeasure_ = 0, rowsBefore_ = 0;
  int group_ = -1;
  /// What was chosen before there were columns.
  QString chosen_;
  bool isChosen_ = false;
  /// The widths are changing by our hand and not by the user's.
  bool isOurs_ = false;
};

}  // namespace wb
