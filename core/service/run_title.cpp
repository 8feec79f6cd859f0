// SPDX-License-Identifier: Apache-2.0
#include "core/service/run_title.h"

#include <fmt/format.h>

#include <filesystem>

namespace wb {

std::string runTitle(const Job& job) {
  if (job.kernels.empty()) return "no kernel";
  const KernelSource& first = job.kernels.front();
  std::string title = std::filesystem::path(first.path).filename().string();
  if (title.empty()) title = first.op.empty() ? "a kernel" : first.op;
  if (job.kernels.size() > 1) title += fmt::format(" and {} more", job.kernels.size() - 1);
  return title;
}

}  // namespace wb
