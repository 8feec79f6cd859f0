// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/result.h"
#include "core/model/event.h"
#include "core/run/shards.h"
#include "core/runner/batch/batch.h"

namespace wb {

/// The job of one shard. Error: the batch has no shard of that number.
Result<Job> jobOfShard(const Batch& batch, std::size_t shard);

/// What the shards of a batch have written, as the events of one run.
class BatchEvents {
 public:
  explicit BatchEvents(const Batch& batch);
  /// What has come since the last time. Error: a file holds what is no event.
  Result<std::vector<Event>> take();
  /// How many shards have finished.
  [[nodiscard]] std::size_t done() const { return gathering_.done(); }
  [[nodiscard]] bool isDone() const { return gathering_.done() == gathering_.shards(); }
  /// The end of a run that goes on no more (Gathering::finished).
  [[nodiscard]] Finished finished() const { return gathering_.finished(); }

 private:
  const Batch& batch_;
  Gathering gathering_;
  /// How much of each shard's file was read.
  std::vector<std::size_t> read_;
};

}  // namespace wb
