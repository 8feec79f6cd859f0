// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/runner/batch/batch.h"

namespace wb {

/// The script that does a batch: one call of `program` (the command line) for each shard. For a cluster, what
/// the target asks of the scheduler stands before it, in lines that people can read and change. A shard that
/// is preempted or loses its node is put back into the queue and goes on where it was.
[[nodiscard]] std::string batchScript(const Batch& batch, const std::filesystem::path& program);

}  // namespace wb
