// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/jobs/job_request.h"

namespace wb {

/// Whether the kernels come from a directory: BackendBench's backend of that name, or "pregenerated", which
/// the kernels were called that came with its earlier runs.
[[nodiscard]] bool readsDirectory(const JobRequest& request);

/// The device that BackendBench would take where none was named: with likeBackendBench smoke runs on the CPU,
/// as BackendBench's does. "auto" otherwise stays "auto".
[[nodiscard]] std::string backendBenchDevice(const JobRequest& request);

/// The job of a request with a BackendBenchChoice. Errors: a suite or backend that is not here, nothing that
/// the operators match (with what is there), files that do not read.
Result<PlannedJob> planBackendBench(const JobRequest& request, const SuiteProgress& progress = {});

}  // namespace wb
