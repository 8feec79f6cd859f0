// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/warm_up_job.h"

#include <utility>

#include "core/jobs/job_request.h"

namespace wb {

Result<std::optional<Job>> warmUpJob(const std::string& device, ExpectedJobs expected,
                                     const std::filesystem::path& samples) {
  if (!device.starts_with("cuda")) return std::optional<Job>{};
  JobRequest request;
  for (const char* sample : {"add_inline.py", "relu_triton.py", "relu.cu"})
    request.files.push_back((samples / sample).string());
  request.device = device;
  request.topn = 1;
  request.stages = {Stage::check, Stage::time};
  request.timing.capSeconds = 0.01;
  // Counters are not read where a judge watches.
  if (!expected.strict) request.stages.add(Stage::profile);
  request.profile.lines = request.profile.listing = request.profile.timeline = false;
  WB_TRY(Job job, makeJob(request));
  // A service asks for both of all its jobs, which a command line may not.
  job.strict = expected.strict;
  job.sandbox = expected.sandbox;
  return std::optional(std::move(job));
}

}  // namespace wb
