// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/model/report.h"
#include "core/runner/batch/batch.h"

namespace wb {

struct Following {
  /// Gathers what there is, and does not wait for more.
  bool now = false;
  /// The same of a run that was told to end.
  bool cancelled = false;
  bool verbose = false;
};

/// Follows a batch to its end with its progress on standard error, and gathers its shards' events into one
/// report. Where a shard has not finished and the scheduler knows none of its tasks any more, it ends
/// `cancelled`, or as `workerLost` where that shard has said so. What is given `now` of a run that goes on is
/// `running`. Error: a file of events cannot be read.
Result<std::shared_ptr<const Report>> followBatch(const Batch& batch, const Following& how);

}  // namespace wb
