// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/runner/batch/batch.h"

namespace wb {

/// The script that sbatch gets: what the target asks of the scheduler in lines that people can read and
/// change, and one call of `program` (the command line) for each shard. A shard that is preempted or loses
/// its node is put back into the queue and goes on where it was.
[[nodiscard]] std::string batchScript(const Batch& batch, const std::filesystem::path& program);

/// Submits the script. Gives the number of the job. Errors: no sbatch on this machine, what it said.
Result<std::string> submitScript(const Batch& batch);

/// How a batch stands in the scheduler's eyes.
struct QueueState {
  /// How many of its tasks wait, and how many run.
  int waiting = 0, running = 0;
  /// Why the first of them waits: "Priority".
  std::string reason{};
};
/// What squeue prints with the format "%T|%r".
[[nodiscard]] QueueState queueState(std::string_view lines);
/// Asks the scheduler, which no longer knows a job that is over. Errors: it does not answer.
Result<QueueState> askQueue(const Batch& batch);
/// Takes it out of the queue, and ends what runs of it.
Result<void> cancelBatch(const Batch& batch);

}  // namespace wb
