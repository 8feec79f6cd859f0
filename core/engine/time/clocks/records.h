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
  /// The seconds from the start of the first piece of work to the end of the last.
  double seconds = 0;
  /// The seconds of all pieces, without the gaps between them.
  double busy = 0;
  /// How many kernels, copies and fills there were.
  std::size_t launches = 0;
  /// The blocks of its largest kernel.
  std::int64_t blocks = 0;
};

/// Divides the records of some calls, each of which comes after a fill of `markBytes`. Errors: there are not
/// as many marks as `calls`; a call has no record, or one that has no times.
Result<std::vector<RecordedCall>> recordedCalls(const std::vector<ActivityRecord>& records,
                                                std::int64_t markBytes, std::int64_t endBytes,
                                                std::size_t calls);

}  // namespace wb
