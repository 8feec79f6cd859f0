// SPDX-License-Identifier: Apache-2.0
#include "core/model/plan/work.h"

#include "core/model/job.h"

namespace wb {

KernelWork wholeOf(const Job& job, std::uint32_t kernel) {
  KernelWork whole{kernel};
  for (const Stage stage : job.stages.inOrder())
    if (stage != Stage::compile && stageRow(stage).inWorker) whole.stages.push_back({stage});
  return whole;
}

JobWork workIn(const Job& job) {
  if (job.work) return *job.work;
  JobWork all;
  for (std::uint32_t kernel = 0; kernel < job.kernels.size(); ++kernel)
    all.kernels.push_back(wholeOf(job, kernel));
  return all;
}

}  // namespace wb
