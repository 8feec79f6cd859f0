// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace wb {

/// Guests that were killed and are not gone yet. The system takes a tenth of a second to take a process apart
/// that has a GPU's context, and no answer waits for it. All functions may be called from any thread.
class EndedGuests {
 public:
  EndedGuests() = default;
  EndedGuests(const EndedGuests&) = delete;
  EndedGuests& operator=(const EndedGuests&) = delete;
  /// Waits for all.
  ~EndedGuests() = default;

  /// `awaitEnd` waits for the end of a guest that was killed, and frees what belongs to it. It is called
  /// once, on another thread.
  void add(std::function<void()> awaitEnd);
  /// Blocks until all that were added are gone, with the memory that they held.
  void await();

 private:
  void work(const std::stop_token& stop);
  std::mutex mutex_;
  std::condition_variable_any changed_;
  /// The first one is the one that is being waited for. All were killed, so that they go side by side.
  std::deque<std::function<void()>> left_;
  /// Ends before the rest of this does.
  std::jthread thread_;
};

}  // namespace wb
