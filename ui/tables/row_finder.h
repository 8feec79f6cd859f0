// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/figures/figure.h"

namespace wb {

/// Which rows of a table are wanted, and in which order.
struct RowQuery {
  /// Words in lower case; each must occur in some cell of a row.
  std::vector<std::string> words = {};
  /// The set whose rows are wanted; -1 for all rows.
  int set = -1;
  /// Whether rows are wanted that are parts of others.
  bool withParts = true;
  /// The column to sort by; -1 for the table's own order, in which rows of leading sets come first.
  int column = -1;
  bool descending = false;
};

/// How many rows there are to choose from: all of them, and those of each set.
struct RowCounts {
  int all = 0;
  std::vector<int> sets;
  bool operator==(const RowCounts&) const = default;
};

/// The text in lower case for ASCII; other bytes stay.
[[nodiscard]] std::string foldCase(std::string_view text);

/// Finds and sorts the rows of one table. What it learns about the table it keeps, so that only the first
/// question about a column or a word takes long. Any thread may ask.
class RowFinder {
 public:
  explicit RowFinder(std::shared_ptr<const Table> table) : table_(std::move(table)) {}

  /// The numbers of the wanted rows. Sorting is stable: by Cell::sort where the column holds numbers (NaN is
  /// last either way), else by text, where upper and lower case are the same.
  [[nodiscard]] std::vector<int> rows(const RowQuery& query) const;
  [[nodiscard]] RowCounts counts(bool withParts) const;

 private:
  /// The place of each row's cell among those of its column; cells without a number have `missing`.
  struct Ranks {
    std::vector<std::uint32_t> of;
    std::uint32_t count = 0;
  };
  static constexpr std::uint32_t missing = ~0U;

  [[nodiscard]] bool hasWords(std::size_t row, const RowQuery& query) const;
  void readTexts() const;
  [[nodiscard]] const Ranks& ranks(std::size_t column) const;
  [[nodiscard]] Ranks numberRanks(std::size_t column) const;
  [[nodiscard]] Ranks textRanks(std::size_t column) const;
  void sort(std::vector<int>& rows, const Ranks& ranks, bool descending) const;
  void putLeadingFirst(std::vector<int>& rows) const;

  std::shared_ptr<const Table> table_;
  mutable std::mutex mutex_;
  /// All cells of all rows in lower case, each with a newline behind it, and where each row ends.
  mutable std::string texts_;
  mutable std::vector<std::size_t> ends_;
  mutable std::map<std::size_t, Ranks> ranks_;
};

}  // namespace wb
