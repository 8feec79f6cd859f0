// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace wb {

/// The folder of a source file, in which its includes with quotation marks are looked for. The path is
/// absolute or relative to where the program was started. "" where the file is not on this machine, as for a
/// text that was never saved.
[[nodiscard]] std::filesystem::path sourceFolder(const std::string& path);

}  // namespace wb
