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

/// Turns what user code prints into log events, on a thread of its own. It always reads and keeps nothing, so
/// that printing never blocks for long and never fills memory. What exceeds a job's limit is counted and
/// dropped, which is said once.
class LogPump {
 public:
  using Sink = std::function<void(const Log&)>;

  explicit LogPump(const Descriptors& descriptors);
  ~LogPump();
  LogPump(const LogPump&) = delete;
  LogPump& operator=(const LogPump&) = delete;

  /// From now on at most `maxBytes` of what is printed go to `sink`, which is called on the pump's thread.
  void begin(std::int64_t maxBytes, Sink sink);
  /// Waits until everything that was printed so far has gone to the sink.
  void drain();
  /// Drains, says what was dropped, and lets go of the sink: what is printed later belongs to no job.
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
  /// How many rounds drain() has asked for, and how many were answered.
  std::uint64_t asked_ = 0, answered_ = 0;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace wb
