// SPDX-License-Identifier: Apache-2.0
#include "core/base/sandbox/user_places.h"

#include <algorithm>
#include <iterator>
#include <system_error>

#include "core/base/files/source_folder.h"
#include "core/base/process/process_start.h"
#include "core/base/text.h"

namespace wb {

namespace fs = std::filesystem;

bool holdsMore(const fs::path& folder) {
  const auto isAbove = [&](const fs::path& other) {
    const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), other.begin(), other.end());
    return end == folder.end() || (std::next(end) == folder.end() && end->empty());
  };
  std::error_code failed;
  const fs::path home = startVariable("HOME");
  return isAbove("/tmp") || isAbove("/var/tmp") || (!home.empty() && isAbove(home)) ||
         isAbove(fs::temp_directory_path(failed));
}

std::string sourcePlace(const std::string& path) {
  const fs::path folder = sourceFolder(path);
  if (folder.empty()) return {};
  return (holdsMore(folder) ? folder / fs::path(path).filename() : folder).string();
}

std::vector<std::string> searchedFolders() {
  std::vector<std::string> folders;
  for (const char* variable : {"PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "CUDA_HOME", "CUDA_PATH"}) {
    const std::string list = startVariable(variable);
    for (const std::string_view each : split(list, ':')) {
      std::error_code failed;
      const fs::path folder = fs::weakly_canonical(fs::path(each), failed);
      if (!each.empty() && !failed && !holdsMore(folder)) folders.push_back(folder.string());
    }
  }
  return folders;
}

}  // namespace wb
