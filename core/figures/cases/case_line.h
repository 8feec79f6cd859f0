// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/figures/columns.h"
#include "core/model/report.h"

namespace wb {

/// A case with what its row in a table needs beside it. Points into the report.
struct CaseLine {
  const CaseRow& row;
  std::string_view kernel;
  /// The case may still run.
  bool live = false;
};

// These are exact values of a case, which the table shows and the CSV report writes; nothing where a value is
// not known. Times are in seconds; a time of 0 was not taken.

template <double ErrorFigures::*error>
[[nodiscard]] std::optional<double> errorOf(const CaseLine& line) {
  return line.row.check.errors ? std::optional((*line.row.check.errors).*error) : std::nullopt;
}
template <double CaseTiming::*value>
[[nodiscard]] std::optional<double> timingOf(const CaseLine& line) {
  return line.row.timing ? std::optional((*line.row.timing).*value) : std::nullopt;
}
template <double Speedup::*value>
[[nodiscard]] std::optional<double> speedupOf(const CaseLine& line) {
  return line.row.timing ? std::optional(line.row.timing->speedup.*value) : std::nullopt;
}
template <double CaseTiming::*value>
[[nodiscard]] std::optional<double> knownTimingOf(const CaseLine& line) {
  const std::optional<double> known = timingOf<value>(line);
  return known && *known > 0 ? known : std::nullopt;
}
template <BothSides CaseTiming::*time, double BothSides::*side>
[[nodiscard]] std::optional<double> timeOf(const CaseLine& line) {
  if (!line.row.timing) return std::nullopt;
  const double seconds = ((*line.row.timing).*time).*side;
  return seconds > 0 ? std::optional(seconds) : std::nullopt;
}

/// The columns of the cases table, which the details of a case show too.
[[nodiscard]] const std::vector<ColumnOf<CaseLine>>& caseColumns();

/// Every field of a case with its exact value, for spreadsheets: a cell's text is what to write, below the
/// column's title.
[[nodiscard]] std::span<const ColumnOf<CaseLine>> caseDataColumns();

}  // namespace wb
