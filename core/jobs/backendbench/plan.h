// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/jobs/job_request.h"

namespace wb {

/// Whether the kernels come from a directory: from BackendBench's backend of that name, or from
/// "pregenerated", which is what the kernels of its earlier runs were called.
[[nodiscard]] bool readsDirectory(const JobRequest& request);

/// The device that BackendBench would take where none was named: with likeBackendBench smoke runs on the CPU,
/// as BackendBench's does. Otherwise "auto" stays "auto".
[[nodiscard]] std::string backendBenchDevice(const JobRequest& request);

/// The job of a request with a BackendBenchChoice. Errors: a suite or backend that is not offered; operators
/// that match nothing (with what there is); files that cannot be read.
Result<PlannedJob> planBackendBench(const JobRequest& request, const SuiteProgress& progress = {});

}  // namespace wb
