// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/backendbench_plan.h"
#include "core/model/report.h"

namespace wb {

/// `warpbench backendbench`: BackendBench's job with its options, files and closing lines, which are the last
/// on standard output. The shell's exit status: 0 with any scores, 2 usage, 3 no worker or device, 4
/// Warpbench lost a worker of its own, 130 cancelled.
int backendBenchCommand(const BackendBenchRequest& request);

/// A kernel that did not load has no cases in its report: here they are, each failed as its loading did.
/// Kernels that could not be tried at all (no worker, no Python) stay as they are.
[[nodiscard]] Report withUnloadedKernels(Report report, const std::vector<Case>& cases);

/// What the default did otherwise than BackendBench in this run, one line each.
[[nodiscard]] std::vector<std::string> corrections(const Report& report, const BackendBenchPlan& plan);

}  // namespace wb
