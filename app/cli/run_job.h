// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/model/event.h"
#include "core/model/job.h"
#include "core/model/report.h"

namespace wb {

/// How and where a job is run, and who follows it. The callbacks come on the runner's threads and must be
/// quick; either may be empty.
struct RunWay {
  int workers = 1;  ///< worker processes that share the cases
  std::function<void(const Event&)> onEvent{};
  std::function<void(const Report&)> onReport{};  ///< at most ten a second
};

/// Runs a job to its end, with its device resolved. Ctrl-C cancels it, a second one leaves the program at
/// once. Null when there was not even a report.
std::shared_ptr<const Report> runJob(Job job, const RunWay& way);

}  // namespace wb
