// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/engine/cupti/activity.h"

namespace wb {

/// What the device did for one call, by its records.
struct RecordedCall {
  double seconds = 0;        ///< from the start of the first piece of work to the end of the last
  double busy = 0;           ///< of all pieces, without the gaps between them
  std::size_t launches = 0;  ///< kernels, copies and fills
  std::int64_t blocks = 0;   ///< of its largest kernel
};

/// Records of some calls, each behind a fill of `markBytes`, taken apart. Errors: there are not as many marks
/// as `calls`; a call without a record, or with one that has no times. A call whose work is on another stream
/// than the marks says so.
Result<std::vector<RecordedCall>> recordedCalls(const std::vector<ActivityRecord>& records,
                                                std::int64_t markBytes, std::size_t calls);

}  // namespace wb
