// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

namespace wb {

/// How many requests clients have made lately. A client may make as many as its limit of a minute at once,
/// and then as many as the time since brings back. Functions may be called from any thread.
class RequestRates {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Counts a request of a client with so many a minute; 0 is no limit. Gives how many seconds it has to wait
  /// before it may make this one: 0 means that it may now.
  double take(const std::string& client, int perMinute, Time now);

 private:
  struct Bucket {
    double left = 0;
    Time at{};
  };
  std::mutex mutex_;
  std::map<std::string, Bucket> buckets_;
};

}  // namespace wb
