// SPDX-License-Identifier: Apache-2.0
#include "core/base/process/programs.h"

#include <unistd.h>

#include <string>
#include <system_error>

#include "core/base/process/process_start.h"
#include "core/base/text.h"

namespace wb {

namespace fs = std::filesystem;

bool isProgram(const fs::path& path) {
  std::error_code ignored;
  return ::access(path.c_str(), X_OK) == 0 && fs::is_regular_file(path, ignored);
}

fs::path findProgram(std::string_view name) {
  if (name.empty()) return {};
  if (name.find('/') != std::string_view::npos) return isProgram(name) ? fs::path(name) : fs::path{};
  std::string path = startVariable("PATH");
  if (path.empty()) path = "/usr/local/bin:/usr/bin:/bin";
  for (const std::string_view folder : split(path, ':'))
    if (fs::path candidate = fs::path(folder.empty() ? "." : folder) / name; isProgram(candidate))
      return candidate;
  return {};
}

}  // namespace wb
