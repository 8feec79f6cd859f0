// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "core/base/result.h"

namespace wb {

/// The worker program: $WARPBENCH_WORKER, else the one beside this program.
[[nodiscard]] std::filesystem::path workerProgram();

struct Preparation {
  std::string python{};  ///< whose torch; "": as findPython() says
  bool idle = false;     ///< at a lower priority, since nobody waits for it yet
};

/// Makes ahead what the first kernel would wait for (the precompiled header of torch, the operator
/// catalogue), by `warpbench-worker --prepare`, to its end. What is there already is left. Whoever needs it
/// meanwhile waits on its lock instead of making it twice. Errors: no worker, what the worker said, stopped.
Result<void> prepareKernels(const Preparation& preparation, const std::stop_token& stop = {});

}  // namespace wb
