// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

/// One side of a comparison: how an operator's cases came out there.
struct ComparedSide {
  int cases = 0, passed = 0, failed = 0;
  std::map<Verdict, int> verdicts;
};

enum class Winner { none, a, b };  ///< none: the same, undecided, or not comparable

/// One operator in two runs. Both were timed against the same reference, so the ratio of their speedups says
/// how many times B is as fast as A.
struct ComparedOperator {
  std::string op;  ///< schema name
  ComparedSide a, b;
  /// B over A of each case that both timed; an interval's ends are the speedups' own ends divided crosswise,
  /// which is wider than 95 %.
  std::vector<Speedup> ratios;
  Winner winner = Winner::none;
  std::string why;  ///< "fails 2 of 6", "faster", "undecided", …
};

/// Operators of either run: those that B wins first, the largest ratio first, those that A wins last. The one
/// that fails fewer cases wins, whatever its time; with equal failures the faster one where the interval
/// excludes 1 by more than 1 %. Cases are matched by operator, arguments, values and group.
[[nodiscard]] std::vector<ComparedOperator> compareOperators(const Report& a, const Report& b);

[[nodiscard]] Cards compareHeadline(const Report& a, const Report& b);
[[nodiscard]] Table compareTable(const Report& a, const Report& b);
[[nodiscard]] BarChart compareChart(const Report& a, const Report& b);  ///< one bar an operator, sorted

}  // namespace wb
