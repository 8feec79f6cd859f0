// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/turns.h"

#include <chrono>

namespace wb {
namespace {

constexpr std::chrono::milliseconds betweenLooks{1000};

}  // namespace

void Turns::newCase() {
  const std::lock_guard lock(mutex_);
  side_.reset();
  first_ = true;
}

std::optional<Side> Turns::side() const {
  const std::lock_guard lock(mutex_);
  return side_;
}

std::uint64_t Turns::begun() const {
  const std::lock_guard lock(mutex_);
  return begun_;
}

void Turns::now(std::optional<Side> side) {
  const std::lock_guard lock(mutex_);
  const bool first = side == Side::candidate && std::exchange(first_, false);
  if (side == side_ && !first) return;
  side_ = side;
  if (side) ++begun_;
  tell_(side, first);
}

TimedTurns::TimedTurns(Turns* turns) : turns_(turns) {
  if (turns_) watcher_ = std::thread([this] { look(); });
}

TimedTurns::~TimedTurns() {
  if (!turns_) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  end_.notify_all();
  watcher_.join();
  turns_->now(std::nullopt);
}

void TimedTurns::speak(Side side) {
  if (!turns_) return;
  const std::lock_guard lock(mutex_);
  if (first_ && side == Side::candidate) {
    first_ = false;
    told_ = true;
    turns_->now(side);
  } else {
    told_ = false;
    turns_->now(std::nullopt);
  }
}

/// A call that is the same at two looks has run for a second, which is worth telling.
void TimedTurns::look() {
  std::unique_lock lock(mutex_);
  std::uint64_t seen = 0;
  while (!end_.wait_for(lock, betweenLooks, [this] { return ended_; })) {
    const std::uint64_t call = call_.load(std::memory_order_relaxed);
    if (call == seen && call != 0 && !told_) {
      told_ = true;
      turns_->now((call & 1) != 0 ? Side::candidate : Side::reference);
    }
    seen = call;
  }
}

}  // namespace wb
