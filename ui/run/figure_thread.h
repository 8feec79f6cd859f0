// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "core/model/report.h"

namespace wb {

struct RunFigures;

/// Turns snapshots of a report into figures on a thread of its own. It always takes the newest, and works at
/// most half of the time, since a run with many cases must not wait for its pictures.
class FigureThread {
 public:
  using Deliver = std::function<void(std::shared_ptr<const RunFigures>)>;
  /// `deliver` is called on that thread.
  explicit FigureThread(Deliver deliver);
  ~FigureThread();
  /// Takes a snapshot from any thread. One that was not looked at yet is replaced.
  void take(std::shared_ptr<const Report> report);

 private:
  void work(const std::stop_token& stop);

  Deliver deliver_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::shared_ptr<const Report> next_;
  std::jthread thread_;
};

}  // namespace wb
