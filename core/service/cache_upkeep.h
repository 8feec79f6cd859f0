// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "core/base/result.h"

namespace wb {

/// What is done for the caches of this machine's compilers and for its devices, and when.
struct CacheDuties {
  /// Makes what the first kernel in C++ would wait for (prepareKernels()); what exists is left alone.
  std::function<Result<void>(const std::stop_token& stop)> prepare;
  /// Runs once, after the first preparation whatever came of it, so that a first run finds its device warm.
  std::function<void()> warmUp;
  /// Keeps the caches within their limit, since a worker that runs for weeks looks only when it starts.
  std::function<void()> trim;
  /// Takes, on any thread, what the operator should read.
  std::function<void(const std::string& text)> tell;
  std::chrono::milliseconds betweenTrims = std::chrono::hours{1};
  /// What was made may have been trimmed since.
  int trimsBetweenPreparations = 24;
};

/// Does these duties on a thread of its own, at once and again and again, until it is destroyed. Nothing
/// waits for it but a worker that needs what is being made.
class CacheUpkeep {
 public:
  explicit CacheUpkeep(CacheDuties duties);
  /// "being prepared", "ready", or why they are not.
  [[nodiscard]] std::string compilers() const;

 private:
  void prepare(const std::stop_token& stop);
  void say(std::string compilers);

  const CacheDuties duties_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::string compilers_ = "being prepared";
  /// This is the last member, since its thread uses the others.
  std::jthread thread_;
};

}  // namespace wb
