// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/model/event.h"
#include "core/model/job.h"
#include "core/model/report.h"
#include "core/runner/runner.h"

namespace wb {

/// How a run is shown while it goes on.
struct Watching {
  /// How many processes share the cases.
  int workers = 1;
  /// Whether what the kernel and the worker print is shown.
  bool verbose = false;
  /// The interpreter whose torch and packages are used; "" means the one that is found.
  std::string python{};
  /// Workers that are there already; empty: they are made.
  std::shared_ptr<Runner> runner{};
  /// Called for each event on the runner's threads; may be empty.
  std::function<void(const Event&)> onEvent{};
};

/// Runs a job to its end with its progress on standard error. Null when there was not even a report.
std::shared_ptr<const Report> runWatched(const Job& job, const Watching& watching);

}  // namespace wb
