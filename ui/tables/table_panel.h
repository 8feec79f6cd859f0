// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <memory>
#include <string>

#include "core/figures/figure.h"

class QAction;
class QHBoxLayout;
class QKeyEvent;
class QLabel;
class QLineEdit;
class QStackedLayout;
class QTableView;

namespace wb {

class CellDelegate;
class ChipRow;
class TableColumns;
class TableModel;

/// The one way in which a table is shown: rows that can be sorted, searched, chosen from and copied, columns
/// that fit what they hold, and a sentence where there is nothing yet. All of it can be done by keyboard:
/// Ctrl+F searches, the arrows left and right go from column to column, S sorts by the one where the keyboard
/// is, Ctrl+C copies, and the menu key opens the menu of the row.
class TablePanel : public QWidget {
  Q_OBJECT
 public:
  /// `name` is for assistive technology and tests: "Cases".
  explicit TablePanel(const QString& name, QWidget* parent = nullptr);
  ~TablePanel() override;

  void setTable(std::shared_ptr<const Table> table);
  /// Whether rows are shown that are parts of others.
  void setShowsParts(bool shows);
  /// Makes rows lower, for code.
  void setDense(bool dense);
  /// Adds a tool at the left of everything above the rows.
  void addTool(QWidget* tool);
  /// Adds a command to the menu of rows; it is about selectedId().
  void addRowAction(QAction* action);
  [[nodiscard]] const QList<QAction*>& rowActions() const { return rowActions_; }
  /// Paints the rows pale, since they are not about what the user looks at now.
  void setFaded(bool faded);
  [[nodiscard]] bool isFaded() const;
  /// Opens the filter box and puts the keyboard there.
  void showFilter();
  /// Copies the selected rows to the clipboard, with tabs between the cells of the columns that are shown.
  void copy(bool withTitles);
  [[nodiscard]] bool hasSelection() const;
  /// Sets the text that is shown until a table brings its own.
  void setEmptyText(const QString& text);
  /// Selects the row and scrolls to it; does nothing when it does not exist.
  void select(const std::string& id);
  [[nodiscard]] std::string selectedId() const;
  [[nodiscard]] TableModel& model() const { return *model_; }
  [[nodiscard]] QTableView& view() const { return *view_; }
  [[nodiscard]] QLineEdit& filter() const { return *filter_; }
  [[nodiscard]] TableColumns& columns() const { return *columns_; }
  [[nodiscard]] ChipRow& chips() const { return *chips_; }

 signals:
  /// A row was double-clicked, or Enter was pressed on it.
  void activated(const QString& id);
  void selected(const QString& id);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void buildFilter(const QString& name);
  void buildView(const QString& name);
  void hideFilter();
  void refresh();
  void showMenu(const QPoint& at);
  bool takeKey(const QKeyEvent& event);
  bool isOwnShortcut(const QKeyEvent& event) const;
  void sortByCurrent();

  TableModel* model_;
  CellDelegate* delegate_;
  QTableView* view_;
  TableColumns* columns_;
  ChipRow* chips_;
  QLineEdit* filter_;
  QLabel* count_;
  QLabel* empty_;
  QWidget* topBar_;
  QHBoxLayout* top_;
  QStackedLayout* stack_;
  QList<QAction*> rowActions_;
};

}  // namespace wb
