// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/job.h"
#include "core/model/report.h"
#include "core/runner/remote/files/carried_files.h"
#include "core/targets/run_target.h"

namespace wb {

/// A run that is done while nobody watches: a folder with the job, the script that is handed over, and for
/// each shard of the job a file of its events. A cluster's nodes share it. Where it is done on a machine that
/// is reached by ssh it lies there, and the folder here follows it.
struct Batch {
  std::filesystem::path folder;
  RunTarget target;
  Job job;
  /// How many shards the job was cut into (core/run/shards.h), and how many workers do each.
  std::size_t shards = 1;
  int workers = 1;
  /// The number of the job that the scheduler gave it, or of the process; "" where it was not submitted by
  /// Warpbench.
  std::string submittedAs{};
  /// The paths of its kernels where it lies, if that is not here.
  PathsThere paths{};
  /// Its folder there; "" where it lies here.
  std::string folderThere{};

  /// The name by which people know the run: "20261122-201530-3f2a".
  [[nodiscard]] std::string id() const { return folder.filename().string(); }
  [[nodiscard]] std::filesystem::path script() const { return folder / "script.sh"; }
  [[nodiscard]] std::filesystem::path events(std::size_t shard) const;
  /// What the programs that do a shard have printed.
  [[nodiscard]] std::filesystem::path log(std::size_t shard) const;
};

/// The folder of all batches: `batches` in the data folder.
[[nodiscard]] std::filesystem::path batchFolder();

/// A name for a new run.
[[nodiscard]] std::string newBatchId();
/// A run with so many workers: on a cluster as many shards, as far as there is work for them, with a worker
/// each; elsewhere one shard.
[[nodiscard]] Batch newBatch(const RunTarget& target, Job job, int workers, const std::string& id);
/// Makes its folder here, and writes into it what it is, and files of no events yet.
Result<void> writeBatch(const Batch& batch);
/// Remembers under which number it was submitted.
Result<void> rememberSubmission(Batch& batch, std::string number);
/// Reads what a word means: the name of a run, or the folder of one.
Result<Batch> readBatch(const std::string& word);

/// What earlier attempts at a shard have come to; null where there was none.
Result<std::shared_ptr<const Report>> reportBefore(const Batch& batch, std::size_t shard);

}  // namespace wb
