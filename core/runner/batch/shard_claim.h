// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/runner/batch/batch.h"

namespace wb {

/// Which attempt at a shard may write: the one that began last. A scheduler that takes a node for lost starts
/// the shard on another one, while the first may still be at it, and a script may be submitted twice.
class ShardClaim {
 public:
  /// Takes the shard away from whoever has it. Error: the folder cannot be written.
  static Result<ShardClaim> take(const Batch& batch, std::size_t shard);
  /// Error: another attempt has begun since, or the file cannot be read.
  [[nodiscard]] Result<void> check() const;

 private:
  ShardClaim(std::filesystem::path path, std::string owner)
      : path_(std::move(path)), owner_(std::move(owner)) {}
  std::filesystem::path path_;
  /// Who this is: "job 17, process 4711 on n2, 3f2a90c1".
  std::string owner_;
};

}  // namespace wb
