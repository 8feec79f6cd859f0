// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace wb {

/// Empties a GPU's L2 cache by reading memory of its own, several times as large as the cache. Reading, not
/// writing: what it leaves there is clean, so that nothing of it is written back to memory while the kernel
/// after it runs and is counted.
class CacheEviction {
 public:
  /// `cacheBytes`: of the L2. Throws what torch throws where there is no memory for it.
  CacheEviction(const std::string& device, std::int64_t cacheBytes);
  /// Enqueued on the current stream.
  void run();

 private:
  at::Tensor buffer_, sum_;
};

}  // namespace wb
