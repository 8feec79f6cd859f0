// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "core/base/result.h"

namespace wb {

/// The Python interpreter to use: $WARPBENCH_PYTHON (a path, or a name looked up in PATH), else the set-up's
/// virtual environment, else python3 of PATH. Asks the file system only, so it takes no time and says nothing
/// about what the interpreter can import. Error of stage `setup`: none found, or the one that was asked for
/// is not there.
Result<std::filesystem::path> findPython();

/// The folders below the prefix of an environment or a system in which packages are installed, such as
/// "lib/python3.11/site-packages", as far as they exist. An interpreter's prefix is two levels above it.
[[nodiscard]] std::vector<std::filesystem::path> packageFolders(const std::filesystem::path& prefix);

}  // namespace wb
