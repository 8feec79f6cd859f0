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
  double seconds = 0;      ///< of a call, median
  double worst = 0;        ///< |ratio − 1|
  int covered = 0;         ///< intervals that cover 1
  double caseSeconds = 0;  ///< a case took, mean; 0 unknown
  double clocks = 0;       ///< median of kernel time by events / by CUPTI − 1; NaN unknown
  std::string clock;
};

/// What Triton's do_bench said of two runs of the same.
struct DoBenchRow {
  double worst = 0, seconds = 0;
};

/// Rows of a report of the null test's job. `caseSeconds`: what each case took, by its index.
[[nodiscard]] std::vector<NullRow> nullRows(const Report& report,
                                            const std::map<std::uint32_t, double>& caseSeconds);
/// The same as a table; `doBench`: Triton's rows by elements, or empty.
[[nodiscard]] Table nullTable(const std::vector<NullRow>& rows,
                              const std::map<std::int64_t, DoBenchRow>& doBench);

}  // namespace wb
