// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/jobs/evaluation/evaluation_request.h"
#include "core/jobs/job_request.h"

namespace wb {

/// The words with which the error begins that a reference causes which cannot be used
/// (resources/python/warpbench_requests.py).
inline constexpr std::string_view referenceFailed = "the reference kernel cannot be used: ";

/// What a request of the evaluation server asks for, as a request for a job: one problem in KernelBench's
/// form. A kernel that is evaluated alone is its own reference, and any result of it is right. `counters`
/// says whether the device's counters are read where the request does not say.
[[nodiscard]] JobRequest evaluationJob(const EvaluationRequest& request, const std::string& device,
                                       bool counters);

/// Whether a text of this file name is a request of the evaluation server, be it one that is refused.
[[nodiscard]] bool isEvaluationRequest(std::string_view path, std::string_view text);

/// The same for a request whose one file or text, request.json, is a request of the evaluation server: what
/// is run and what counts as equal comes from it, and everything else is as asked for. Nothing where there is
/// no such file. Errors: what the server would answer to it.
Result<std::optional<JobRequest>> requestInFile(const JobRequest& request);

}  // namespace wb
