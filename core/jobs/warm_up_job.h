// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/job.h"

namespace wb {

/// How the jobs are judged that a service expects, and whether kernels in Python can run there.
struct ExpectedJobs {
  bool sandbox = false, strict = false, python = false;
};

/// A sample of each language that a first request would find cold on a GPU, since to read a compiler, Triton
/// and CUPTI from a disk takes seconds.
[[nodiscard]] std::vector<std::string> warmUpSamples(ExpectedJobs expected);

/// A job with the sample in this file; nothing for a device that is no GPU. Errors: those of makeJob(), such
/// as a sample that is missing.
Result<std::optional<Job>> warmUpJob(const std::string& device, ExpectedJobs expected,
                                     const std::filesystem::path& sample);

}  // namespace wb
