// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>

#include "core/base/result.h"
#include "core/runner/batch/batch.h"

namespace wb {

// A batch that no scheduler does: a process of this machine that outlives whoever started it.

/// While it lives, this process is the one that does a batch. The system forgets it with the process, however
/// that ends.
class BatchHold {
 public:
  /// Error: another process does the batch, or the folder cannot be written.
  static Result<BatchHold> take(const Batch& batch);
  BatchHold(BatchHold&& other) noexcept;
  BatchHold& operator=(BatchHold&&) = delete;
  BatchHold(const BatchHold&) = delete;
  BatchHold& operator=(const BatchHold&) = delete;
  ~BatchHold();

 private:
  explicit BatchHold(int file) : file_(file) {}
  int file_;
};

/// Starts the batch's script in a session of its own, and waits until it holds the batch. Gives the number of
/// the process. Error: it ended before, with what it wrote into its log.
Result<std::string> startBatchProcess(const Batch& batch);
/// The process that does the batch; 0 where none does.
[[nodiscard]] pid_t batchProcess(const Batch& batch);
/// Tells it to end, and waits for that as long as a cancelled run may take.
Result<void> endBatchProcess(const Batch& batch);

}  // namespace wb
