// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace wb {

/// `warpbench doctor`: what is installed, what is missing and what to do about it. 0 when kernels can run
/// here (on the CPU at least), else 3.
int doctorCommand();

/// Runs `warpbench-worker --prepare` (precompiled header, operator catalogue) with its progress on standard
/// error. False when it failed.
bool prepareWorker();

}  // namespace wb
