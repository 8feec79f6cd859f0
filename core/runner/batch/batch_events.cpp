// SPDX-License-Identifier: Apache-2.0
#include "core/runner/batch/batch_events.h"

#include <fmt/format.h>

#include <utility>

#include "core/runner/batch/event_file.h"

namespace wb {

Result<Job> jobOfShard(const Batch& batch, std::size_t shard) {
  std::vector<JobWork> shards = shardsOf(batch.job, batch.shards);
  if (shard >= shards.size())
    return Error{Stage::job,
                 fmt::format("the run has no part {}: they go from 0 to {}", shard, shards.size() - 1),
                 "see the line --array in its script",
                 {}};
  Job job = batch.job;
  job.work = std::move(shards[shard]);
  return job;
}

BatchEvents::BatchEvents(const Batch& batch)
    : batch_(batch), gathering_(batch.job, shardsOf(batch.job, batch.shards)), read_(batch.shards) {}

Result<std::vector<Event>> BatchEvents::take() {
  std::vector<Event> own;
  for (std::size_t shard = 0; shard < read_.size(); ++shard) {
    WB_TRY(std::vector<Event> events, readEvents(batch_.events(shard), read_[shard], batch_.paths));
    for (Event& event : events)
      if (auto kept = gathering_.take(shard, std::move(event))) own.push_back(*std::move(kept));
  }
  return own;
}

}  // namespace wb
