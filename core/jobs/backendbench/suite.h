// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_request.h"
#include "core/suites/suites.h"

namespace wb {

/// The cases of a suite in BackendBench's order, for the operators that the request names. With
/// likeBackendBench these match exactly as in BackendBench (opinfo: the whole "name.overload"; torchbench:
/// any part of it), else as names, overloads and globs.
Result<Suite> backendBenchSuite(const JobRequest& request, const SuiteProgress& progress = {});

}  // namespace wb
