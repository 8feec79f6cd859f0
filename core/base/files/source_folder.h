// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace wb {

/// The folder in which what a source includes with quotation marks is looked for: that of its file, whether
/// its path is absolute or relative to where the program was started. "" where the file is not on this
/// machine, as for a text that was never saved.
[[nodiscard]] std::filesystem::path sourceFolder(const std::string& path);

}  // namespace wb
