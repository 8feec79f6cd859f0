// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/channel/ended_guests.h"

#include <utility>

namespace wb {

void EndedGuests::add(std::function<void()> awaitEnd) {
  const std::lock_guard lock(mutex_);
  left_.push_back(std::move(awaitEnd));
  if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
  changed_.notify_all();
}

void EndedGuests::await() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return left_.empty(); });
}

void EndedGuests::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  // Asked to stop, it still sees to all that are left.
  while (changed_.wait(lock, stop, [&] { return !left_.empty(); })) {
    const std::function<void()> awaitEnd = std::move(left_.front());
    lock.unlock();
    awaitEnd();
    lock.lock();
    left_.pop_front();
    changed_.notify_all();
  }
}

}  // namespace wb
