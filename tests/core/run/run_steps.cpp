// SPDX-License-Identifier: Apache-2.0
#include "tests/core/run/run_steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wb {

std::string text(const JobWork& work) {
  std::vector<std::string> kernels;
  for (const KernelWork& kernel : work.kernels) {
    std::vector<std::string> stages;
    for (const StageWork& stage : kernel.stages) {
      std::string one(name(stage.stage));
      if (stage.cases)
        one += stage.cases->empty() ? " none" : fmt::format(" {}", fmt::join(*stage.cases, " "));
      if (stage.most > 0) one += fmt::format(" (at most {})", stage.most);
      stages.push_back(one);
    }
    std::string text =
        fmt::format("{}{}: {}", kernel.kernel, kernel.compiled ? "*" : "", fmt::join(stages, ", "));
    if (kernel.referenceAlone) text += fmt::format(", alone {}", *kernel.referenceAlone);
    kernels.push_back(text);
  }
  return fmt::format("{}", fmt::join(kernels, "; "));
}

}  // namespace wb
