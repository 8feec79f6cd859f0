// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/worker/options.h"

namespace wb {

/// Prints {"checks": [{"name", "state": "ok" | "missing" | "bad", "found", "hint"}]} on standard output.
/// Gives the exit code, which is 3 when kernels cannot run here.
[[nodiscard]] int printDoctor(const WorkerOptions& options);

/// Makes the precompiled header and the operator catalogue, with progress on standard error. Gives the exit
/// code.
[[nodiscard]] int prepareKernels(const WorkerOptions& options);

}  // namespace wb
