// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/figure_thread.h"

#include <chrono>

#include "ui/results/run_figures.h"

namespace wb {
namespace {

constexpr std::chrono::milliseconds frame{33};

}  // namespace

FigureThread::FigureThread(Deliver deliver)
    : deliver_(std::move(deliver)), thread_([this](const std::stop_token& stop) { work(stop); }) {}

FigureThread::~FigureThread() = default;

void FigureThread::take(std::shared_ptr<const Report> report) {
  {
    const std::lock_guard lock(mutex_);
    next_ = std::move(report);
  }
  wake_.notify_one();
}

void FigureThread::work(const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  std::unique_lock lock(mutex_);
  for (;;) {  // this goes on after the stop, since the last snapshot is never dropped
    if (!wake_.wait(lock, stop, [this] { return next_ != nullptr; })) return;
    std::shared_ptr<const Report> report = std::exchange(next_, nullptr);
    lock.unlock();
    const bool last = report->outcome != Outcome::running;
    const auto began = Clock::now();
    deliver_(makeFigures(std::move(report)));
    const auto took = Clock::now() - began;
    lock.lock();
    if (!last)
      wake_.wait_for(lock, stop, std::max<Clock::duration>(frame, took),
                     [this] { return next_ && next_->outcome != Outcome::running; });
  }
}

}  // namespace wb
