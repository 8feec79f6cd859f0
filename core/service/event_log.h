// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "core/model/event.h"
#include "core/service/service.h"

namespace wb {

/// About how much memory an event takes, with all that it holds.
[[nodiscard]] std::size_t bytesOf(const Event& event);

/// The events of a run under their numbers. What is over the bounds goes, the oldest first; the newest one
/// always stays.
class EventLog {
 public:
  static constexpr std::size_t mostEvents = 20'000, mostBytes = std::size_t{16} << 20;

  /// `first` is the number of the first event.
  explicit EventLog(std::uint64_t first = 0, std::size_t most = mostBytes) : first_(first), most_(most) {}

  void push(Event event);
  /// The number of the event after the last one.
  [[nodiscard]] std::uint64_t next() const { return first_ + events_.size(); }
  /// Whether there are events from a number on.
  [[nodiscard]] bool hasFrom(std::uint64_t number) const { return !events_.empty() && next() > number; }
  /// The events from a number on that are still there; `isLast` is for the caller to say.
  [[nodiscard]] EventPage from(std::uint64_t number) const;
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  struct Kept {
    std::shared_ptr<const Event> event;
    std::size_t bytes;
  };
  std::deque<Kept> events_;
  std::uint64_t first_;
  std::size_t most_, bytes_ = 0;
};

}  // namespace wb
