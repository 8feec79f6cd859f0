// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

/// Rows of a table, `first` counts from 0.
struct RowRange {
  std::size_t first = 0, count = 0;
  bool operator==(const RowRange&) const = default;
};

/// What an update did to a table.
struct TableChange {
  bool reset = false;             ///< nothing of the table before can be relied upon; the rest is then empty
  std::vector<RowRange> changed;  ///< rows that are other than before, ascending
  std::size_t appended = 0;       ///< rows that are new at the end
};

/// The cases table of a run under way: makes the rows that changed since the last report, looking only
/// into chunks that changed. `table()` always equals `casesTable(report)` of the report last given. One
/// thread.
class CasesTableCache {
 public:
  TableChange update(const Report& report);
  [[nodiscard]] const Table& table() const { return table_; }
  [[nodiscard]] Table take() && { return std::move(table_); }

 private:
  using Cases = SharedSequence<CaseRow>;
  struct Seen {
    std::string label;
    bool live = false;
    std::size_t rows = 0, first = 0;
    std::vector<Shared<Cases::Chunk>> chunks;  ///< held, so that their identity stays theirs
  };

  [[nodiscard]] bool fits(const Report& report, const std::vector<std::string>& labels) const;
  void updateKernel(const Report& report, std::size_t kernel, TableChange& change);
  void append(const KernelReport& kernel, std::size_t index, Seen& seen);

  Table table_;
  std::vector<Seen> seen_;
};

}  // namespace wb
