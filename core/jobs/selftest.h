// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/jobs/job_request.h"

namespace wb {

/// The sizes of the vectors that the null test times; the largest is too slow to draw on a CPU.
[[nodiscard]] std::vector<std::int64_t> nullTestSizes(const std::string& device);

/// Times ATen's relu against itself: there is a case for each size and repeat, which differ by their seeds
/// alone.
[[nodiscard]] JobRequest nullTestRequest(int repeats, const std::string& device);

/// Times kernels that wait a known number of the device's cycles, against a reference that waits another
/// number, so that what is measured can be compared with what is true. There are several lengths and ratios,
/// so many times each; cases of length 0 tell what an empty kernel takes. With `smallOnes` there are only the
/// ratios of a few hundredths from 1.
[[nodiscard]] JobRequest knownRatioRequest(int repeats, const std::string& device, bool smallOnes = false);

}  // namespace wb
