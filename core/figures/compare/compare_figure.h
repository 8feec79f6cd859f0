// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

/// One side of a comparison: the results of an operator's cases there.
struct ComparedSide {
  int cases = 0, passed = 0, failed = 0;
  std::map<Verdict, int> verdicts;
};

/// `none` means that they are the same, undecided or not comparable.
enum class Winner { none, a, b };

/// One operator in two runs. Both were timed against the same reference, so the ratio of their speedups says
/// how many times B is as fast as A.
struct ComparedOperator {
  /// The schema name.
  std::string op;
  ComparedSide a, b;
  /// B's speedup divided by A's for each case that both timed. The ends of an interval are the speedups' own
  /// ends divided crosswise, which makes it wider than 95 %.
  std::vector<Speedup> ratios;
  Winner winner = Winner::none;
  /// The reason: "fails 2 of 6", "faster", "undecided", …
  std::string why;
};

/// The operators of either run: those that B wins first, the largest ratio first, those that A wins last. The
/// side that fails fewer cases wins, whatever its time; with equal failures the faster one wins where the
/// interval excludes 1 by more than 1 %. Cases are matched by operator, arguments, values and group.
[[nodiscard]] std::vector<ComparedOperator> compareOperators(const Report& a, const Report& b);

[[nodiscard]] Cards compareHeadline(const Report& a, const Report& b);
[[nodiscard]] Table compareTable(const Report& a, const Report& b);
/// One bar per operator, sorted.
[[nodiscard]] BarChart compareChart(const Report& a, const Report& b);

}  // namespace wb
