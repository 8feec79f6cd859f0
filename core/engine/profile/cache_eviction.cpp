// SPDX-License-Identifier: Apache-2.0
#include "core/engine/profile/cache_eviction.h"

#include <ATen/ops/sum.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

namespace wb {
namespace {

/// An L2 cache does not throw out what was used longest ago: reading memory of its own size once would leave
/// much of what it held before.
constexpr std::int64_t timesTheCache = 8;
constexpr std::int64_t smallestBytes = std::int64_t{64} << 20;

}  // namespace

CacheEviction::CacheEviction(const std::string& device, std::int64_t cacheBytes) {
  // Of this dtype the sum is one kernel. Integers would be converted first, and each kernel that is counted
  // takes more than a millisecond.
  const auto options = at::TensorOptions().dtype(at::kFloat).device(at::Device(device));
  const std::int64_t bytes = std::max(timesTheCache * cacheBytes, smallestBytes);
  buffer_ = at::zeros({bytes / std::int64_t{sizeof(float)}}, options);
  sum_ = at::zeros({}, options);
}

void CacheEviction::run() {
  at::sum_out(sum_, buffer_);
}

}  // namespace wb
