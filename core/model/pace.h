// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/measurement.h"

namespace wb {

/// What an interval of reference / candidate means: faster, slower, same within the tolerance, or undecided.
[[nodiscard]] Pace judge(double low, double high, double tolerance = 0.01);

/// Whether it is known how well the ratio is known. Without, `low` and `high` are 0 and the pace is
/// undecided: the blocks were too few and too different, or the machine was too busy.
[[nodiscard]] bool hasInterval(const Speedup& speedup);
[[nodiscard]] Speedup withoutInterval(const Speedup& speedup);

/// More blocks tell the time of these two runs ever better, and say nothing of what differs between two runs
/// of the same code: where their memory lies, how a graph was built. `noise`, the worst |ratio − 1| of ATen
/// against itself on the device, is that part; the interval is widened by it at both ends and judged again.
/// What was undecided stays so.
[[nodiscard]] Speedup withNoise(const Speedup& speedup, double noise, double tolerance = 0.01);

}  // namespace wb
