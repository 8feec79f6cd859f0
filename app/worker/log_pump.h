// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string_view>
#include <thread>

#include "app/worker/descriptors.h"
#include "core/model/event.h"

namespace wb {

/// Turns what user code prints into log events, on a thread of its own. Reads always and keeps nothing, so
/// that printing never blocks for long and never fills memory; what is over a job's limit is counted, dropped
/// and said once.
class LogPump {
 public:
  using Sink = std::function<void(const Log&)>;

  explicit LogPump(const Descriptors& descriptors);
  ~LogPump();
  LogPump(const LogPump&) = delete;
  LogPump& operator=(const LogPump&) = delete;

  /// From now on, what is printed goes to `sink` (called on the pump's thread), at most `maxBytes` of it.
  void begin(std::int64_t maxBytes, Sink sink);
  /// Waits until all that was printed so far has gone to the sink.
  void drain();
  /// Drains, says what was dropped, and lets go of the sink: what comes later belongs to no job.
  void end();

 private:
  void pump();
  bool take(int descriptor, const char* source);
  void give(const char* source, std::string_view text);

  Descriptors descriptors_;
  int wake_[2] = {-1, -1};
  std::mutex mutex_;
  std::condition_variable idle_;
  Sink sink_;
  std::int64_t room_ = 0, dropped_ = 0;
  std::uint64_t asked_ = 0, answered_ = 0;  ///< rounds of drain()
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace wb
