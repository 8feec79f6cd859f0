// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <string>
#include <vector>

#include "core/figures/figure.h"

namespace wb {

/// Shows a figure's table. Sorts and filters by a permutation of the rows, so neither copies a cell, and
/// keeps selections by the rows' ids while a run streams in.
class TableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  /// Cell::tone of an index, as int; the row's id; Cell::bar; the line and the
  /// file of the row's place, 0 and "" without.
  enum Role { toneRole = Qt::UserRole + 1, idRole, barRole, lineRole, fileRole };

  explicit TableModel(QObject* parent = nullptr);

  /// Takes the next state of the table. Rows are matched by id: what stays keeps its selection.
  void setTable(std::shared_ptr<const Table> table);
  [[nodiscard]] const Table& table() const { return *table_; }
  /// Shows the rows in which every word of `text` occurs in some cell, without regard to case.
  void setFilter(const QString& text);
  /// Whether rows are shown that are parts of others; they are at first.
  void setShowsParts(bool shows);
  [[nodiscard]] bool hasParts() const;
  /// Rows that are shown where nothing is filtered.
  [[nodiscard]] int total() const;
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

  [[nodiscard]] int rowOf(const std::string& id) const;      ///< visible row, -1 when filtered out or unknown
  [[nodiscard]] std::string idAt(int row) const;             ///< "" outside
  [[nodiscard]] Place placeOf(const std::string& id) const;  ///< an empty one without
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
  std::vector<int> rows_;  ///< visible row → row of the table
  std::vector<std::string> words_;
  bool showsParts_ = true;
  int sortColumn_ = -1;
  Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
};

}  // namespace wb
