// SPDX-License-Identifier: Apache-2.0
#include "core/runner/report_feed.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace wb {

namespace {
using Clock = std::chrono::steady_clock;
}

class ReportFeed::Impl {
 public:
  Impl(const Job& job, Deliver deliver, std::chrono::milliseconds interval)
      : deliver_(std::move(deliver)), interval_(interval), report_(startReport(job)) {}

  void take(const Event& event) {
    bool now = false, wake = false;
    {
      const std::lock_guard lock(mutex_);
      fold(report_, event);
      now = std::holds_alternative<Finished>(event) || Clock::now() >= due();
      wake = !std::exchange(dirty_, true);
    }
    if (now)
      deliverNow();
    else if (wake)
      changed_.notify_one();
  }

  /// The timer's thread: what came too soon after the last delivery is delivered when its time has come.
  void serve(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      changed_.wait(lock, stop, [&] { return dirty_; });
      if (changed_.wait_until(lock, stop, due(), [&] { return !dirty_; }) || stop.stop_requested()) continue;
      lock.unlock();
      deliverNow();
      lock.lock();
    }
  }

  void deliverNow() {
    const std::lock_guard one(delivering_);
    std::shared_ptr<const Report> snapshot;
    {
      const std::lock_guard lock(mutex_);
      if (!dirty_) return;
      dirty_ = false;
      lastDelivery_ = Clock::now();
      snapshot = std::make_shared<const Report>(report_);
    }
    deliver_(std::move(snapshot));
  }

  std::jthread timer;

 private:
  /// When the next delivery is due; the first one is due at once. The clock may count from the machine's
  /// start: its zero is in the past, but not by any given interval.
  [[nodiscard]] Clock::time_point due() const {
    return lastDelivery_ ? *lastDelivery_ + interval_ : Clock::time_point();
  }

  Deliver deliver_;
  std::chrono::milliseconds interval_;
  /// This is locked before mutex_: deliveries happen one at a time, in order.
  std::mutex delivering_;
  /// Guards the members below.
  std::mutex mutex_;
  std::condition_variable_any changed_;
  Report report_;
  bool dirty_ = false;
  std::optional<Clock::time_point> lastDelivery_;
};

ReportFeed::ReportFeed(const Job& job, Deliver deliver, std::chrono::milliseconds interval)
    : impl_(std::make_shared<Impl>(job, std::move(deliver), interval)) {
  impl_->timer = std::jthread([impl = std::weak_ptr(impl_)](const std::stop_token& stop) {
    // The timer keeps it alive too, so that a receiver may drop the feed from within a delivery.
    if (const auto kept = impl.lock()) kept->serve(stop);
  });
}

ReportFeed::~ReportFeed() {
  impl_->timer.request_stop();
  if (impl_->timer.get_id() == std::this_thread::get_id())
    impl_->timer.detach();
  else
    impl_->timer.join();
}

Runner::Listener ReportFeed::listener(std::shared_ptr<ReportFeed> feed) {
  return [feed = std::move(feed)](Runner::RunId, const Event& event) { feed->take(event); };
}

void ReportFeed::take(const Event& event) {
  impl_->take(event);
}

}  // namespace wb
