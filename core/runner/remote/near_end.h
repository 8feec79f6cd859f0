// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

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

/// Stands in for a worker on another machine: what it gets on standard input and says on standard output is
/// the worker's, and it ends as the worker ends. It copies Warpbench's programs there where they are missing,
/// and makes a new connection when one is lost. Like a keeper it ends the worker on SIGQUIT and when its
/// parent dies, and passes SIGTERM and SIGUSR1 on.
[[noreturn]] void serveNearEnd(const NearOrder& order);

}  // namespace wb
