// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <string>
#include <vector>

#include "core/figures/figure.h"
#include "ui/tables/row_finder.h"

namespace wb {

/// Shows a figure's table. It sorts and filters by a permutation of the rows, so that no cell is copied, and
/// keeps selections by the rows' ids while a run streams in. The rows of a large table are sorted and
/// filtered on another thread; until they are, the rows of before stay.
class TableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  /// Roles of an index: Cell::tone as an int; the row's id; Cell::bar; the line and the file of the row's
  /// place, 0 and "" without one.
  enum Role { toneRole = Qt::UserRole + 1, idRole, barRole, lineRole, fileRole };

  /// From this many rows on, a table is sorted and filtered on another thread.
  static constexpr std::size_t largeTable = 4000;

  explicit TableModel(QObject* parent = nullptr);

  /// Takes the next state of the table. Rows are matched by id, so what stays remains selected.
  void setTable(std::shared_ptr<const Table> table);
  [[nodiscard]] const Table& table() const { return *shown_.table; }
  /// Shows the rows in which every word of `text` occurs in some cell; upper and lower case are the same.
  void setFilter(const QString& text);
  /// Shows the rows of one of the table's sets; with -1 all rows.
  void setRowSet(int set);
  [[nodiscard]] int rowSet() const { return query_.set; }
  /// Whether rows are shown that are parts of others; they are at first.
  void setShowsParts(bool shows);
  [[nodiscard]] bool hasParts() const;
  /// How many rows are shown when nothing is filtered, and how many each set has of them.
  [[nodiscard]] const RowCounts& counts() const { return counts_; }
  /// Whether rows are being sorted or filtered on another thread.
  [[nodiscard]] bool isArranging() const { return underWay_; }
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

  /// The visible row with this id; -1 when it is filtered out or unknown.
  [[nodiscard]] int rowOf(const std::string& id) const;
  /// The row of the table that a visible row shows.
  [[nodiscard]] int tableRow(int row) const { return rows_[size_t(row)]; }
  /// The id of a row; "" for a row that does not exist.
  [[nodiscard]] std::string idAt(int row) const;
  /// The place of a row; an empty one without it.
  [[nodiscard]] Place placeOf(const std::string& id) const;
  [[nodiscard]] bool isSorted() const { return query_.column >= 0; }
  /// The cell at an index; null for one that is not valid.
  [[nodiscard]] const Cell* cell(const QModelIndex& index) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 signals:
  /// Other rows are shown, or the same ones in another order or with other cells.
  void arranged();

 private:
  /// A table, and what finds its rows.
  struct Source {
    std::shared_ptr<const Table> table;
    std::shared_ptr<const RowFinder> finder;
  };
  /// What is to be shown of a table.
  struct Plan {
    Source source;
    std::vector<int> rows;
    /// For each row of the table that is shown now the row with the same id; empty where it is the same
    /// table.
    std::vector<int> match;
    RowCounts counts;
  };
  static void retire(Source source);
  static Plan planFor(const Source& from, Source to, const RowQuery& query);
  void arrange();
  void apply(Plan plan);
  void show(Plan plan);
  void reorder(std::vector<int> rows);

  /// What is shown, and what is to be shown next.
  Source shown_, wanted_;
  RowQuery query_;
  RowCounts counts_;
  /// The row of the table for each visible row.
  std::vector<int> rows_;
  /// A plan is made on another thread; something else was asked for since.
  bool underWay_ = false, again_ = false;
  /// The number of the plan under way; those before it are dropped.
  int generation_ = 0;
};

}  // namespace wb
