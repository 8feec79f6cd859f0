// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/access/request_rates.h"

#include <algorithm>
#include <cstddef>

namespace wb {
namespace {

constexpr std::size_t mostClients = 10'000;

}  // namespace

double RequestRates::take(const std::string& client, int perMinute, Time now) {
  if (perMinute <= 0) return 0;
  const double perSecond = perMinute / 60.0;
  const std::lock_guard lock(mutex_);
  if (buckets_.size() >= mostClients)
    // After a minute a client has its whole limit again, as one that was never seen.
    std::erase_if(buckets_, [&](const auto& each) { return now - each.second.at > std::chrono::minutes{1}; });
  const auto [found, isNew] = buckets_.try_emplace(client, Bucket{static_cast<double>(perMinute), now});
  Bucket& bucket = found->second;
  const double passed = std::chrono::duration<double>(now - bucket.at).count();
  bucket.left = std::min<double>(perMinute, bucket.left + std::max(0.0, passed) * perSecond);
  bucket.at = now;
  if (bucket.left < 1) return (1 - bucket.left) / perSecond;
  bucket.left -= 1;
  return 0;
}

}  // namespace wb
