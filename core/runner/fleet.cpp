// SPDX-License-Identifier: Apache-2.0
#include "core/runner/fleet.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "core/runner/fleet_run.h"

namespace wb {
namespace {

/// An event of a member's runner, on its way to the fleet's thread.
struct MemberEvent {
  Runner::RunId run = 0;  ///< the fleet's
  std::size_t task = 0;
  Event event;
};

struct Submitted {
  Runner::RunId id = 0;
  Job job;
  Runner::Listener listener;
};

}  // namespace

class Fleet::Impl {
 public:
  Impl(std::vector<FleetMember> members, RunnerOptions options) : options_(options) {
    for (FleetMember& member : members) {
      devices_.push_back(member.device);
      runners_.push_back(std::make_unique<Runner>(std::move(member.launcher), member.device, options));
    }
    thread_ = std::thread([this] { loop(); });
  }
  ~Impl() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
    // Joins their threads, which still post to the mailbox: all at a time, since a worker on a GPU takes a
    // while to be gone.
    std::vector<std::thread> endings;
    for (auto& runner : runners_) endings.emplace_back([&runner] { runner.reset(); });
    for (std::thread& ending : endings) ending.join();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  RunId submit(Job job, Listener listener) {
    const std::lock_guard lock(mutex_);
    submitted_.push_back({++lastId_, std::move(job), std::move(listener)});
    ++unfinished_;
    changed_.notify_all();
    return lastId_;
  }
  void cancel(RunId run) {
    const std::lock_guard lock(mutex_);
    cancelled_.push_back(run);
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    allFinished_.wait(lock, [this] { return unfinished_ == 0; });
  }
  [[nodiscard]] std::vector<std::unique_ptr<Runner>>& runners() { return runners_; }

 private:
  void loop() {
    while (takeMail()) advance();
  }

  /// Waits for something to happen; false when there is nothing more to do, ever.
  bool takeMail() {
    std::deque<MemberEvent> events;
    std::vector<RunId> cancelled;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] {
        if (!events_.empty() || !cancelled_.empty()) return true;
        return (!current_ && (stopping_ || !submitted_.empty())) || (stopping_ && !stopSeen_);
      });
      std::swap(events, events_);
      std::swap(cancelled, cancelled_);
      while (!submitted_.empty()) {
        queue_.push_back(std::move(submitted_.front()));
        submitted_.pop_front();
      }
      if (stopping_) stopSeen_ = true;
    }
    for (const RunId run : cancelled) cancelRun(run);
    if (stopSeen_) {
      while (!queue_.empty()) cancelRun(queue_.front().id);
      if (current_) cancelCurrent();
    }
    for (const MemberEvent& each : events)
      if (current_ && current_->id() == each.run) current_->take(each.task, each.event);
    return !stopSeen_ || current_;
  }

  void advance() {
    while (true) {
      if (current_ && current_->done()) {
        current_.reset();
        runIds_.clear();
        finished();
      }
      if (!current_) {
        if (queue_.empty()) return;
        begin();
        continue;
      }
      for (const std::size_t task : current_->takeSuperfluous()) cancelTask(task);
      for (FleetRun::Order& order : current_->orders()) hand(std::move(order));
      if (!current_->done()) return;
    }
  }

  void begin() {
    Submitted next = std::move(queue_.front());
    queue_.pop_front();
    current_.emplace(next.id, std::move(next.job), std::move(next.listener),
                     FleetRun::Rules{devices_, options_.crashesToQuarantine});
    current_->begin();
  }

  void hand(FleetRun::Order order) {
    Runner& runner = *runners_[order.member];
    const auto id = runner.submit(std::move(order.job), [this, run = current_->id(), task = order.task](
                                                            Runner::RunId, const Event& event) {
      const std::lock_guard lock(mutex_);
      events_.push_back({run, task, event});
      changed_.notify_all();
    });
    runIds_[order.task] = {order.member, id};
  }

  void cancelTask(std::size_t task) {
    const auto found = runIds_.find(task);
    if (found != runIds_.end()) runners_[found->second.first]->cancel(found->second.second);
  }

  void cancelCurrent() {
    current_->cancel();
    for (const std::size_t task : current_->takeSuperfluous()) cancelTask(task);
  }

  void cancelRun(RunId run) {
    if (current_ && current_->id() == run) return cancelCurrent();
    for (auto queued = queue_.begin(); queued != queue_.end(); ++queued) {
      if (queued->id != run) continue;
      const Submitted gone = std::move(*queued);
      queue_.erase(queued);
      gone.listener(gone.id, Finished{Outcome::cancelled, 0});
      return finished();
    }
  }

  void finished() {
    const std::lock_guard lock(mutex_);
    --unfinished_;
    allFinished_.notify_all();
  }

  const RunnerOptions options_;
  std::vector<std::string> devices_;
  std::vector<std::unique_ptr<Runner>> runners_;

  // Between threads.
  std::mutex mutex_;
  std::condition_variable changed_, allFinished_;
  std::deque<MemberEvent> events_;
  std::deque<Submitted> submitted_;
  std::vector<RunId> cancelled_;
  std::size_t unfinished_ = 0;
  RunId lastId_ = 0;
  bool stopping_ = false;

  // The fleet's thread. `current_` is looked at under the lock, by that thread alone.
  std::optional<FleetRun> current_;
  std::deque<Submitted> queue_;
  std::map<std::size_t, std::pair<std::size_t, RunId>> runIds_;  ///< task → member and its run
  bool stopSeen_ = false;
  std::thread thread_;
};

Fleet::Fleet(std::vector<FleetMember> members, RunnerOptions options)
    : impl_(std::make_unique<Impl>(std::move(members), options)) {}
Fleet::~Fleet() = default;

std::size_t Fleet::size() const {
  return impl_->runners().size();
}
void Fleet::onStatus(const StatusListener& listener) {
  for (std::size_t i = 0; i < size(); ++i)
    impl_->runners()[i]->onStatus([listener, i](const WorkerStatus& status) { listener(i, status); });
}
void Fleet::start() {
  for (const auto& runner : impl_->runners()) runner->start();
}
Fleet::RunId Fleet::submit(Job job, Listener listener) {
  return impl_->submit(std::move(job), std::move(listener));
}
void Fleet::cancel(RunId run) {
  impl_->cancel(run);
}
void Fleet::wait() {
  impl_->wait();
}

}  // namespace wb
