// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/job.h"
#include "core/model/report.h"
#include "core/targets/run_target.h"

namespace wb {

/// A run that a cluster does while nobody watches: a folder that its nodes share, with the job, the script
/// that is submitted, and for each shard of the job a file of its events.
struct Batch {
  std::filesystem::path folder;
  RunTarget target;
  Job job;
  /// How many shards the job was cut into (core/run/shards.h).
  std::size_t shards = 1;
  /// The number of the job that the scheduler gave it; "" where it was not submitted by Warpbench.
  std::string slurmJob{};

  /// The name by which people know the run: "20261122-201530-3f2a".
  [[nodiscard]] std::string id() const { return folder.filename().string(); }
  [[nodiscard]] std::filesystem::path script() const { return folder / "script.sh"; }
  [[nodiscard]] std::filesystem::path events(std::size_t shard) const;
};

/// The folder of all batches: `batches` in the data folder.
[[nodiscard]] std::filesystem::path batchFolder();

/// Makes a folder for a run, which is to be cut into `shards` at most, and writes the job into it.
Result<Batch> makeBatch(const RunTarget& target, Job job, std::size_t shards);
/// Remembers under which number it was submitted.
Result<void> rememberSubmission(Batch& batch, std::string slurmJob);
/// Reads what a word means: the name of a run, or the folder of one.
Result<Batch> readBatch(const std::string& word);

/// What earlier attempts at a shard have come to; null where there was none.
Result<std::shared_ptr<const Report>> reportBefore(const Batch& batch, std::size_t shard);

}  // namespace wb
