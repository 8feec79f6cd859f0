// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/source_folder.h"

#include <system_error>

#include "core/base/process/process_start.h"

namespace wb {

namespace fs = std::filesystem;

fs::path sourceFolder(const std::string& path) {
  if (path.empty()) return {};
  // A kernel may have changed the working folder since the start.
  const fs::path file = (startFolder() / path).lexically_normal();
  std::error_code failed;
  const bool here = fs::path(path).is_absolute() ? fs::is_directory(file.parent_path(), failed)
                                                 : fs::is_regular_file(file, failed);
  return here ? file.parent_path() : fs::path{};
}

}  // namespace wb
