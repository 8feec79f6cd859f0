// SPDX-License-Identifier: Apache-2.0
#include "core/engine/profile/cache_eviction.h"

#include <ATen/ops/sum.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

namespace wb {
namespace {

/// An L2 cache does not throw out what was used longest ago: reading memory of its own size once would leave
/// much of what it held before.
constexpr std::int64_t timesTheCache = 4;
constexpr int rounds = 2;
constexpr std::int64_t smallestBytes = std::int64_t{64} << 20;

}  // namespace

CacheEviction::CacheEviction(const std::string& device, std::int64_t cacheBytes) {
  const auto options = at::TensorOptions().dtype(at::kInt).device(at::Device(device));
  const std::int64_t bytes = std::max(timesTheCache * cacheBytes, smallestBytes);
  buffer_ = at::zeros({bytes / std::int64_t{sizeof(std::int32_t)}}, options);
  sum_ = at::zeros({}, options.dtype(at::kLong));
}

void CacheEviction::run() {
  for (int round = 0; round < rounds; ++round) at::sum_out(sum_, buffer_);
}

}  // namespace wb
