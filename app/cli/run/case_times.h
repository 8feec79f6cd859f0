// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>

#include "core/model/event.h"

namespace wb {

/// How long it took to time each case of a job's only kernel, by the times at which its events came. May be
/// used by any thread.
class CaseTimes {
 public:
  void take(const Event& event);
  /// The seconds by the index of the case.
  [[nodiscard]] std::map<std::uint32_t, double> seconds() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::uint32_t, std::chrono::steady_clock::time_point> began_;
  std::map<std::uint32_t, double> seconds_;
};

}  // namespace wb
