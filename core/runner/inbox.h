// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/runner/runner.h"

namespace wb {

/// A submitted run on its way to the runner's thread.
struct QueuedRun {
  Runner::RunId id = 0;
  Job job;
  Runner::Listener listener;
  /// The report that it goes on from; null: from nothing.
  std::shared_ptr<const Report> before;
};

/// What other threads ask of the runner's thread. The descriptor wakes its poll.
class Inbox {
 public:
  Inbox();
  ~Inbox();
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;

  struct Mail {
    std::vector<QueuedRun> submitted;
    std::vector<Runner::RunId> cancelled;
    bool start = false, python = false, stop = false;
    /// Somebody new wants to know the status.
    bool listens = false;
  };

  // Any thread may call these.
  Runner::RunId submit(Job job, Runner::Listener listener, std::shared_ptr<const Report> before);
  void cancel(Runner::RunId run);
  void start(bool python);
  void stop();
  void waitForAll();
  void onStatus(Runner::StatusListener listener);

  // Only the runner's thread calls these.
  [[nodiscard]] int descriptor() const { return descriptor_; }
  Mail take();
  /// One run has ended, and its listener is gone.
  void finished();
  void tell(const WorkerStatus& status);

 private:
  void wake() const;

  int descriptor_;
  std::mutex mutex_;
  std::condition_variable allFinished_;
  Mail mail_;
  Runner::RunId lastId_ = 0;
  std::size_t unfinished_ = 0;
  Runner::StatusListener statusListener_;
};

}  // namespace wb
