// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/figures/figure.h"

namespace wb {

/// A column, and the function that makes its cell from what a row stands for.
template <class From>
struct ColumnOf {
  Column column;
  Cell (*cell)(const From&);
};

/// Fills a table column by column, so that a column is one row of a list and nothing else.
template <class From>
class TableOf {
 public:
  TableOf(std::string id, std::string title, const std::vector<ColumnOf<From>>& columns) {
    table_.id = std::move(id);
    table_.title = std::move(title);
    for (const ColumnOf<From>& one : columns) {
      table_.columns.push_back(one.column);
      cells_.push_back(one.cell);
    }
  }

  Table::Row& add(std::string id, const From& from, Place place = {}, int depth = 0) {
    Table::Row row{std::move(id), {}, std::move(place), depth};
    row.cells.reserve(cells_.size());
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      Cell& cell = row.cells.emplace_back(cells_[c](from));
      if (table_.columns[c].kind == ColumnKind::share && !std::isnan(cell.sort))
        cell.bar = std::clamp(cell.sort, 0.0, 1.0);
    }
    return table_.rows.emplace_back(std::move(row));
  }
  /// Names the sets of rows that a reader may choose from.
  void setSets(std::vector<RowSet> sets) { table_.sets = std::move(sets); }
  void reserve(std::size_t rows) { table_.rows.reserve(rows); }
  [[nodiscard]] bool isEmpty() const { return table_.rows.empty(); }
  /// The table; `empty` says why there are no rows, where there are none.
  [[nodiscard]] Table take(std::string empty) && {
    if (table_.rows.empty()) table_.empty = std::move(empty);
    return std::move(table_);
  }

 private:
  Table table_;
  std::vector<Cell (*)(const From&)> cells_;
};

/// The columns without the one that has this key.
template <class From>
[[nodiscard]] std::vector<ColumnOf<From>> without(std::vector<ColumnOf<From>> columns, std::string_view key) {
  std::erase_if(columns, [key](const ColumnOf<From>& one) { return one.column.key == key; });
  return columns;
}

}  // namespace wb
