// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/figures/cells.h"
#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

/// Everything that is known about one row, in full: what a table's cells have no room for.
struct Details {
  /// "relu 5×5 f32"
  std::string title;
  /// "mismatch"; may be empty
  std::string verdict;
  Tone tone = Tone::neutral;
  /// why; may have several lines
  std::string message;
  /// "Max abs", "3.1e-07": each in full
  std::vector<Fact> facts;
  /// of an exception, as its language prints it
  std::string trace;
  bool operator==(const Details&) const = default;
};

/// Of a row of the cases or the problems table, by its id. Facts are the table's own columns, so a new column
/// is in here by itself. Nothing for an unknown id.
[[nodiscard]] std::optional<Details> detailsOf(const Report& report, std::string_view rowId);

/// The traceback behind a row: of a case that threw, or of a stage that failed. "" without.
[[nodiscard]] std::string traceOf(const Report& report, std::string_view rowId);

/// A line of a traceback that names a place, Python's `File "a.py", line 3, in f`.
struct TraceFrame {
  std::size_t begin = 0, end = 0;  ///< bytes of the traceback that are the file and the line
  Place place;
};
[[nodiscard]] std::vector<TraceFrame> framesOf(std::string_view trace);

}  // namespace wb
