// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/jobs/job_request.h"

namespace wb {

/// Elements of the vectors that the null test times; the largest is too slow to draw on a CPU.
[[nodiscard]] std::vector<std::int64_t> nullTestSizes(const std::string& device);

/// ATen's relu against itself: a case for each size and repeat, which differ by their seeds alone.
[[nodiscard]] JobRequest nullTestRequest(int repeats, const std::string& device);

/// Kernels that wait a known number of the device's cycles, against a reference that waits another: what is
/// said of them can be held against what is true. Some lengths, some ratios, so many times each; cases of
/// length 0 say what an empty kernel takes.
[[nodiscard]] JobRequest knownRatioRequest(int repeats, const std::string& device);

}  // namespace wb
