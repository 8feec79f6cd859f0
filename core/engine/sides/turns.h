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

/// Says which side is at work on a case, the reference, the candidate, or neither, so that the loss of this
/// process is blamed on the right one. A change is told before the side begins.
class Turns {
 public:
  /// `first` is true at the candidate's first call of this case in this process. May be called from a thread
  /// of its own while something is timed.
  using Tell = std::function<void(std::optional<Side> side, bool first)>;
  explicit Turns(Tell tell) : tell_(std::move(tell)) {}
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  /// A case begins, and no side is at work. This is not told, since everybody hears that a case begins.
  void newCase();
  /// `side` is at work from here on. May be called by any thread.
  void now(std::optional<Side> side);
  [[nodiscard]] std::optional<Side> side() const;
  /// How often a side began its turn. While it stays the same, no code of either was called.
  [[nodiscard]] std::uint64_t begun() const;

 private:
  Tell tell_;
  /// Guards the members below, and telling.
  mutable std::mutex mutex_;
  std::optional<Side> side_;
  std::uint64_t begun_ = 0;
  /// The candidate has not been called since the case began.
  bool first_ = true;
};

/// One side's turn, to the end of the scope; then the side before it has its turn again.
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

/// The turns while calls are timed. To tell each would cost more than a call takes, so only the candidate's
/// first one is told at once; a second thread looks now and then whether one call has been at work for long,
/// and tells that.
class TimedTurns {
 public:
  explicit TimedTurns(Turns* turns);
  ~TimedTurns();
  TimedTurns(const TimedTurns&) = delete;
  TimedTurns& operator=(const TimedTurns&) = delete;

  /// No side is at work any more.
  void rest() { call_.store(0, std::memory_order_relaxed); }
  /// `side` makes one call from here on. This is a store and a load, unless something has to be told.
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
  /// Twice the number of the call, plus one if it is the candidate's.
  std::atomic<std::uint64_t> call_{0};
  /// A side was told that may have stopped working since.
  std::atomic<bool> told_{false};
  bool first_ = true;
  /// Guards telling, and the members below.
  std::mutex mutex_;
  std::condition_variable end_;
  bool ended_ = false;
  std::thread watcher_;
};

}  // namespace wb
