// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "core/model/profile.h"

namespace wb {

/// Says who is at work on a case: the reference, the candidate, or neither, so that the loss of this process
/// is laid at the right door. A change is told before the side begins.
class Turns {
 public:
  /// `first`: the candidate's first call of this case in this process. May be called from a thread of its own
  /// while something is timed.
  using Tell = std::function<void(std::optional<Side> side, bool first)>;
  explicit Turns(Tell tell) : tell_(std::move(tell)) {}
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  /// A case begins, with nobody at work. Not told: that a case begins says as much.
  void newCase();
  /// From here on. Any thread.
  void now(std::optional<Side> side);
  [[nodiscard]] std::optional<Side> side() const;

 private:
  Tell tell_;
  mutable std::mutex mutex_;  ///< of what follows, and of telling
  std::optional<Side> side_;
  bool first_ = true;  ///< the candidate has not been called since the case began
};

/// One side's turn, to the end of the scope; then it is as it was.
class SideTurn {
 public:
  SideTurn(Turns* turns, std::optional<Side> side)
      : turns_(turns), before_(turns ? turns->side() : std::nullopt) {
    if (turns_) turns_->now(side);
  }
  ~SideTurn() {
    if (turns_) turns_->now(before_);
  }
  SideTurn(const SideTurn&) = delete;
  SideTurn& operator=(const SideTurn&) = delete;

 private:
  Turns* turns_;
  std::optional<Side> before_;
};

/// Turns while calls are timed: to tell each would cost more than a call takes. Only the candidate's first
/// one is told at once; a thread beside looks now and then who has been at work for long, and tells that.
class TimedTurns {
 public:
  explicit TimedTurns(Turns* turns);
  ~TimedTurns();
  TimedTurns(const TimedTurns&) = delete;
  TimedTurns& operator=(const TimedTurns&) = delete;

  /// Nobody calls any more.
  void rest() { call_.store(0, std::memory_order_relaxed); }
  /// `side` makes one call from here on. A store and a load, unless something has to be told.
  void begin(Side side) {
    call_.store(
        (call_.load(std::memory_order_relaxed) & ~std::uint64_t{1}) + 2 + (side == Side::candidate ? 1 : 0),
        std::memory_order_relaxed);
    if (told_.load(std::memory_order_relaxed) || (first_ && side == Side::candidate)) speak(side);
  }

 private:
  void speak(Side side);
  void look();

  Turns* turns_;
  std::atomic<std::uint64_t> call_{0};  ///< twice the number of the call, plus one for the candidate's
  std::atomic<bool> told_{false};       ///< a side was told that may be at work no longer
  bool first_ = true;
  std::mutex mutex_;  ///< of telling, and of what follows
  std::condition_variable end_;
  bool ended_ = false;
  std::thread watcher_;
};

}  // namespace wb
