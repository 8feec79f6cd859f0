// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "core/figures/figure.h"

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QStackedLayout;
class QTableView;

namespace wb {

class CellDelegate;
class TableModel;

/// The one way a table is shown: filter box, sortable rows, and a sentence where there is nothing yet.
class TablePanel : public QWidget {
  Q_OBJECT
 public:
  /// `name` for assistive technology and tests: "Cases".
  explicit TablePanel(const QString& name, QWidget* parent = nullptr);

  void setTable(std::shared_ptr<const Table> table);
  /// Text of this column stands only where it changes, while nothing is sorted.
  void setGroupColumn(std::string key);
  void setDense(bool dense);    ///< lower rows, for code
  void addTool(QWidget* tool);  ///< left of the filter
  /// Tints the rows that point to this line of this file; line 0: none.
  void markLine(int line, const QString& file);
  [[nodiscard]] int markedLine() const;
  void setEmptyText(const QString& text);  ///< until a table brings its own
  void select(const std::string& id);  ///< selects the row and scrolls to it; nothing when it is not there
  [[nodiscard]] std::string selectedId() const;
  [[nodiscard]] TableModel& model() const { return *model_; }
  [[nodiscard]] QTableView& view() const { return *view_; }
  [[nodiscard]] QLineEdit& filter() const { return *filter_; }

 signals:
  void activated(const QString& id);  ///< double click or Enter
  void selected(const QString& id);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void buildView(const QString& name);
  void layoutColumns();
  void bringForward(std::string_view behind, std::initializer_list<std::string_view> keys);
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
  std::string groupKey_;
  bool laidOut_ = false;
};

}  // namespace wb
