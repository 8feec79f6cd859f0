// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/measurement.h"

namespace wb {

/// What an interval of the ratio means: faster, slower, same within the tolerance, or undecided.
[[nodiscard]] Pace judge(double low, double high, double tolerance = 0.01);

/// Whether it is known how exact the ratio is. If not, `low` and `high` are 0 and the pace is undecided: the
/// blocks were too few and too different, or the machine was too busy. Such a ratio says nothing and is in no
/// mean; whoever shows it says that it was too noisy.
[[nodiscard]] bool hasInterval(const Speedup& speedup);
[[nodiscard]] Speedup withoutInterval(const Speedup& speedup);

/// More blocks do not tell a time better than the clock can. So either end of the interval is moved to at
/// least this share from the ratio, and the interval is judged again. What was undecided stays so.
[[nodiscard]] Speedup noNarrower(const Speedup& speedup, double share, double tolerance = 0.01);

}  // namespace wb
