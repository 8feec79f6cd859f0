// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/runner/launcher.h"
#include "core/targets/run_target.h"

namespace wb {

/// The arguments of warpbench-reach for a worker on a target, and what they mean.
[[nodiscard]] std::vector<std::string> nearArguments(const RunTarget& target, const WorkerWish& wish);
struct NearOrder {
  RunTarget target;
  WorkerWish wish;
};
Result<NearOrder> nearOrderFrom(const std::vector<std::string>& arguments);

/// How long a worker of this target goes on without a connection, in seconds.
[[nodiscard]] double graceOf(const RunTarget& target);

}  // namespace wb
