// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <string>

#include "core/figures/figure.h"

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QStackedLayout;
class QTableView;

namespace wb {

class CellDelegate;
class TableModel;

/// The one way in which a table is shown: a filter box, sortable rows, and a sentence where there is nothing
/// yet.
class TablePanel : public QWidget {
  Q_OBJECT
 public:
  /// `name` is for assistive technology and tests: "Cases".
  explicit TablePanel(const QString& name, QWidget* parent = nullptr);

  void setTable(std::shared_ptr<const Table> table);
  /// Whether rows are shown that are parts of others.
  void setShowsParts(bool shows);
  /// Makes rows lower, for code.
  void setDense(bool dense);
  /// Adds a tool at the left of the filter.
  void addTool(QWidget* tool);
  /// Tints the rows that point to this line of this file; with line 0, none.
  void markLine(int line, const QString& file);
  [[nodiscard]] int markedLine() const;
  /// Sets the text that is shown until a table brings its own.
  void setEmptyText(const QString& text);
  /// Selects the row and scrolls to it; does nothing when it does not exist.
  void select(const std::string& id);
  [[nodiscard]] std::string selectedId() const;
  [[nodiscard]] TableModel& model() const { return *model_; }
  [[nodiscard]] QTableView& view() const { return *view_; }
  [[nodiscard]] QLineEdit& filter() const { return *filter_; }

 signals:
  /// A row was double-clicked, or Enter was pressed on it.
  void activated(const QString& id);
  void selected(const QString& id);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void buildView(const QString& name);
  void layoutColumns();
  [[nodiscard]] int widthOf(const Table& table, size_t column) const;
  void bringForward();
  void refresh();
  void updateGroups();

  TableModel* model_;
  CellDelegate* delegate_;
  QTableView* view_;
  QLineEdit* filter_;
  QLabel* count_;
  QLabel* empty_;
  QHBoxLayout* top_;
  QStackedLayout* stack_;
  int group_ = -1;
  bool laidOut_ = false;
};

}  // namespace wb
