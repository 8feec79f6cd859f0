// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/figures/case_key.h"
#include "core/figures/cells.h"
#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

/// Everything that is known about one row, in full, for which a table's cells have no room.
struct Details {
  /// "relu 5×5 f32"
  std::string title;
  /// "mismatch"; may be empty
  std::string verdict;
  Tone tone = Tone::neutral;
  /// The reason; may have several lines.
  std::string message;
  /// The facts, each in full: "Max abs", "3.1e-07".
  std::vector<Fact> facts;
  /// The traceback of an exception, as its language prints it.
  std::string trace;
  /// What it was made from or is about, where that is not the kernel: a line of a suite, a header. Line 0
  /// of no file is nowhere.
  Place origin;
  /// The case; nothing for what is no case.
  OneCase ofCase{};
  /// The case is one that failed, so that running it alone helps.
  bool failing = false;
  bool operator==(const Details&) const = default;
};

/// The details of a row of the cases or the problems table, by its id. Their facts are the table's own
/// columns, so a new column appears here by itself. Nothing for an unknown id.
[[nodiscard]] std::optional<Details> detailsOf(const Report& report, std::string_view rowId);

/// The traceback of a row: of a case that threw, or of a stage that failed; "" without one.
[[nodiscard]] std::string traceOf(const Report& report, std::string_view rowId);

/// A line of a traceback that names a place, Python's `File "a.py", line 3, in f`.
struct TraceFrame {
  /// The bytes of the traceback that are the file and the line.
  std::size_t begin = 0, end = 0;
  Place place;
};
[[nodiscard]] std::vector<TraceFrame> framesOf(std::string_view trace);

}  // namespace wb
