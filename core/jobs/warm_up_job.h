// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/model/job.h"

namespace wb {

/// How the jobs are judged that a service expects.
struct ExpectedJobs {
  bool sandbox = false, strict = false;
};

/// A job with one kernel of each language that a first request would find cold on a GPU, since to read a
/// compiler, Triton and CUPTI from a disk takes seconds. The kernels are files of `samples`. Nothing for a
/// device that is no GPU. Errors: those of makeJob(), such as a sample that is missing.
Result<std::optional<Job>> warmUpJob(const std::string& device, ExpectedJobs expected,
                                     const std::filesystem::path& samples);

}  // namespace wb
