// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/report.h"
#include "tests/core/figures/sample_report.h"

namespace wb::samples {

// Runs with a profile, as a worker on an H100 would tell them; numbers are made up to be plausible and fixed.

/// softmax in raw CUDA, one launch a side: memory-bound, strided stores, a stall on line 14.
[[nodiscard]] Run profiledRun();
/// mm in half precision, three launches of the candidate against one: spills, bank conflicts, no tensor
/// cores, a tail; two cases, the second of which could not be profiled.
[[nodiscard]] Run severalLaunchesRun();
/// Counters refused by the driver: launches and timeline alone.
[[nodiscard]] Run refusedRun();
/// Raw CUDA without a GPU: machine code alone.
[[nodiscard]] Run staticRun();

[[nodiscard]] Report folded(const Run& run);
/// The job on the first line, then one event a line: what tests/golden/events holds.
[[nodiscard]] std::string eventLog(const Run& run);
/// Error names the line.
Result<Run> runFromLog(std::string_view text);

}  // namespace wb::samples
