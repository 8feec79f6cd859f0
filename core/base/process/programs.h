// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace wb {

/// Whether this is a file that can be run.
[[nodiscard]] bool isProgram(const std::filesystem::path& path);

/// A program as a shell would find it: with a slash as it is, else the first of that name in the PATH that
/// this process was started with. An empty path when there is none.
[[nodiscard]] std::filesystem::path findProgram(std::string_view name);

}  // namespace wb
