// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/jobs/job_request.h"
#include "core/model/job.h"
#include "core/suites/suites.h"

namespace wb {

/// A kernel that is ATen's own operator.
[[nodiscard]] KernelSource atenKernel(const std::string& op);

/// A kernel's text with the language that takes such a file, or "" where none does.
Result<KernelSource> readKernelFile(const std::string& file, const std::string& op);

/// Kernels of a request that do not depend on its cases: texts at hand, files, files of folders, problems.
/// Files of a folder that cannot be read go to `leftOut`, unless all do.
Result<std::vector<KernelSource>> namedKernels(const JobRequest& request, std::vector<Error>& leftOut);

/// The other kernels of a request, for the operators that `suite` has: those of BackendBench's directories,
/// and ATen's own operators where no kernel was named. Errors: nothing to run.
Result<std::vector<KernelSource>> kernelsForSuite(const JobRequest& request, const Suite& suite);

}  // namespace wb
