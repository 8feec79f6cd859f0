// SPDX-License-Identifier: Apache-2.0
#include "core/base/python.h"

#include <fmt/format.h>

#include <string>
#include <system_error>

#include "core/base/files/paths.h"
#include "core/base/process/process_start.h"
#include "core/base/process/programs.h"

namespace wb {

namespace fs = std::filesystem;

Result<fs::path> findPython() {
  if (const std::string asked = startVariable("WARPBENCH_PYTHON"); !asked.empty()) {
    if (fs::path python = findProgram(asked); !python.empty()) return python;
    return Error{Stage::setup, fmt::format("WARPBENCH_PYTHON={} is no program", asked),
                 "set it to a Python that has torch 2.11, or unset it"};
  }
  if (fs::path python = dataFolder() / "venv-torch-2.11.0" / "bin" / "python"; isProgram(python))
    return python;
  if (fs::path python = findProgram("python3"); !python.empty()) return python;
  return Error{Stage::setup, "there is no Python",
               "run packaging/setup build, or set WARPBENCH_PYTHON to a Python that has torch 2.11"};
}

std::vector<fs::path> packageFolders(const fs::path& prefix) {
  std::vector<fs::path> folders;
  std::error_code ignored;
  for (const fs::path& library : {prefix / "lib", prefix / "local" / "lib"}) {
    for (const auto& entry : fs::directory_iterator(library, ignored)) {
      if (!entry.path().filename().string().starts_with("python3")) continue;
      for (const char* packages : {"site-packages", "dist-packages"})
        if (fs::path folder = entry.path() / packages; fs::is_directory(folder, ignored))
          folders.push_back(std::move(folder));
    }
  }
  return folders;
}

}  // namespace wb
