// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wb {

/// Whether a folder holds more than what a program inside walls has business with: a home, a temporary
/// folder, and what is above them.
[[nodiscard]] bool holdsMore(const std::filesystem::path& folder);

/// What may be read for the sake of a source file: its folder, for its includes and imports; the file alone
/// where the folder holds more. "" where the file is not on this machine.
[[nodiscard]] std::string sourcePlace(const std::string& path);

/// The folders in which this process was told to look for programs, libraries, packages and the CUDA toolkit
/// (PATH, LD_LIBRARY_PATH, PYTHONPATH, CUDA_HOME, CUDA_PATH), less those that hold more.
[[nodiscard]] std::vector<std::string> searchedFolders();

}  // namespace wb
