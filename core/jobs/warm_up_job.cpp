// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/warm_up_job.h"

#include <utility>

#include "core/jobs/job_request.h"

namespace wb {

std::vector<std::string> warmUpSamples(ExpectedJobs expected) {
  // A worker that cannot run Python would be ended for them.
  if (!expected.python) return {"relu.cu"};
  return {"add_inline.py", "relu_triton.py", "relu.cu"};
}

Result<std::optional<Job>> warmUpJob(const std::string& device, ExpectedJobs expected,
                                     const std::filesystem::path& sample) {
  // A client may wait behind it.
  constexpr double longestStep = 30;
  if (!device.starts_with("cuda")) return std::optional<Job>{};
  JobRequest request;
  request.files.push_back(sample.string());
  request.device = device;
  request.topn = 1;
  request.stages = {Stage::check, Stage::time, Stage::profile};
  request.timing.capSeconds = 0.01;
  request.profile.lines = request.profile.listing = request.profile.timeline = false;
  WB_TRY(Job job, makeJob(request));
  // A service asks for both of all its jobs, which a command line may not.
  job.strict = expected.strict;
  job.sandbox = expected.sandbox;
  job.limits.compileSeconds = job.limits.caseSeconds = job.limits.firstCallSeconds = longestStep;
  // Requests come without a file, and a walled worker for them is started ahead by what the last job read.
  for (KernelSource& each : job.kernels) each.path = sample.filename().string();
  return std::optional(std::move(job));
}

}  // namespace wb
