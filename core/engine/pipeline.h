// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <stop_token>

#include "core/model/event.h"
#include "core/model/job.h"

namespace wb {

/// The engine of one worker process on one device: compile, check, time. Runs one job at a time on the
/// calling thread; everything it has to say goes to `emit`. Never throws; a failing case is data. Starts at
/// job.resume when set.
class Pipeline {
 public:
  using Emit = std::function<void(const Event&)>;
  explicit Pipeline(std::string device);
  ~Pipeline();
  [[nodiscard]] Target target() const;
  void run(const Job& job, const Emit& emit, std::stop_token stop);
  /// Ahead of the first job: precompiled header, operator catalogue.
  void prepare(const std::function<void(const Log&)>& onLog);
  /// A sticky device error was seen: the process should be replaced.
  [[nodiscard]] bool poisoned() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace wb
