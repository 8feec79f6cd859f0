// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <string>
#include <vector>

#include "core/figures/figure.h"

namespace wb {

/// Shows a figure's table. It sorts and filters by a permutation of the rows, so that no cell is copied, and
/// keeps selections by the rows' ids while a run streams in.
class TableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  /// Roles of an index: Cell::tone as an int; the row's id; Cell::bar; the line and the file of the row's
  /// place, 0 and "" without one.
  enum Role { toneRole = Qt::UserRole + 1, idRole, barRole, lineRole, fileRole };

  explicit TableModel(QObject* parent = nullptr);

  /// Takes the next state of the table. Rows are matched by id, so what stays remains selected.
  void setTable(std::shared_ptr<const Table> table);
  [[nodiscard]] const Table& table() const { return *table_; }
  /// Shows the rows in which every word of `text` occurs in some cell; upper and lower case are the same.
  void setFilter(const QString& text);
  /// Whether rows are shown that are parts of others; they are at first.
  void setShowsParts(bool shows);
  [[nodiscard]] bool hasParts() const;
  /// How many rows are shown when nothing is filtered.
  [[nodiscard]] int total() const;
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

  /// The visible row with this id; -1 when it is filtered out or unknown.
  [[nodiscard]] int rowOf(const std::string& id) const;
  /// The id of a row; "" for a row that does not exist.
  [[nodiscard]] std::string idAt(int row) const;
  /// The place of a row; an empty one without it.
  [[nodiscard]] Place placeOf(const std::string& id) const;
  [[nodiscard]] bool isSorted() const { return sortColumn_ >= 0; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] std::vector<int> arrange(const Table& table) const;
  void show(std::shared_ptr<const Table> table);
  void reorder(std::vector<int> rows);
  [[nodiscard]] const Cell* cell(const QModelIndex& index) const;

  std::shared_ptr<const Table> table_;
  /// The row of the table for each visible row.
  std::vector<int> rows_;
  std::vector<std::string> words_;
  bool showsParts_ = true;
  int sortColumn_ = -1;
  Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
};

}  // namespace wb
