// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "core/model/report.h"
#include "core/runner/runner.h"

namespace wb {

/// Folds one run's events into its report and hands out immutable snapshots, at most one per `interval` and
/// always the last. `deliver` is called on the runner's thread, or on the feed's timer thread when events
/// pause; never on two at once.
class ReportFeed {
 public:
  using Deliver = std::function<void(std::shared_ptr<const Report>)>;
  ReportFeed(const Job& job, Deliver deliver,
             std::chrono::milliseconds interval = std::chrono::milliseconds{33});
  ~ReportFeed();
  /// A listener for Runner::submit, which keeps the feed alive.
  static Runner::Listener listener(std::shared_ptr<ReportFeed> feed);
  void take(const Event& event);

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace wb
