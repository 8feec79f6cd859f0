// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>

#include "core/model/event.h"

namespace wb {

/// How long timing each case of a job's only kernel took, by when its events came. Any thread.
class CaseTimes {
 public:
  void take(const Event& event);
  /// By the index of the case.
  [[nodiscard]] std::map<std::uint32_t, double> seconds() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::uint32_t, std::chrono::steady_clock::time_point> began_;
  std::map<std::uint32_t, double> seconds_;
};

}  // namespace wb
