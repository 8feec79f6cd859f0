// SPDX-License-Identifier: Apache-2.0
#include "core/base/toolkit.h"

#include <algorithm>

#include "core/base/process/process_start.h"
#include "core/base/process/programs.h"

namespace wb {

std::vector<std::filesystem::path> toolkitPrograms(std::string_view name) {
  std::vector<std::filesystem::path> found;
  const auto add = [&found](const std::filesystem::path& path) {
    if (isProgram(path) && std::ranges::find(found, path) == found.end()) found.push_back(path);
  };
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string folder = startVariable(variable); !folder.empty())
      add(std::filesystem::path(folder) / "bin" / name);
  add(findProgram(name));
  add(std::filesystem::path("/usr/local/cuda/bin") / name);
  return found;
}

}  // namespace wb
