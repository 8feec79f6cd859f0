// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

/// How well one size was timed against itself.
struct NullRow {
  std::int64_t elements = 0;
  int repeats = 0;
  /// The median seconds of a call.
  double seconds = 0;
  /// The largest |ratio − 1|.
  double worst = 0;
  /// How many intervals cover 1.
  int covered = 0;
  /// The mean seconds that a case took; 0 when unknown.
  double caseSeconds = 0;
  /// The median of the kernel time by events divided by that of CUPTI, minus 1; NaN when unknown.
  double clocks = 0;
  std::string clock;
};

/// What Triton's do_bench measured for two runs of the same call.
struct DoBenchRow {
  double worst = 0, seconds = 0;
};

/// The rows of a report of the null test's job. `caseSeconds` says how long each case took, by its index.
[[nodiscard]] std::vector<NullRow> nullRows(const Report& report,
                                            const std::map<std::uint32_t, double>& caseSeconds);
/// The same as a table; `doBench` has Triton's rows by elements, or is empty.
[[nodiscard]] Table nullTable(const std::vector<NullRow>& rows,
                              const std::map<std::int64_t, DoBenchRow>& doBench);

}  // namespace wb
