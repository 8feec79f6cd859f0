// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace wb {

/// Empties a GPU's L2 cache by reading memory that is several times as large as the cache. It reads and does
/// not write, so that what it leaves in the cache is clean and nothing of it is written back while the next
/// kernel runs and is counted.
class CacheEviction {
 public:
  /// `cacheBytes` is the size of the L2. Throws what torch throws where there is no memory for it.
  CacheEviction(const std::string& device, std::int64_t cacheBytes);
  /// Enqueues the reads on the current stream.
  void run();

 private:
  at::Tensor buffer_, sum_;
};

}  // namespace wb
