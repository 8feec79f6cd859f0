// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace wb {

/// Per-user folders (XDG). None of them is created by asking.
[[nodiscard]] std::filesystem::path cacheFolder();   ///< $WARPBENCH_CACHE, else $XDG_CACHE_HOME/warpbench
[[nodiscard]] std::filesystem::path dataFolder();    ///< $WARPBENCH_DATA, else $XDG_DATA_HOME/warpbench
[[nodiscard]] std::filesystem::path configFolder();  ///< $WARPBENCH_CONFIG, else $XDG_CONFIG_HOME/warpbench

/// Folder of the running program (/proc/self/exe); of the library that this code is in, where it is in one.
[[nodiscard]] std::filesystem::path programFolder();

/// Folder with suites, templates, samples: $WARPBENCH_RESOURCES, else ../share/warpbench beside the program's
/// folder (installed), else the source tree's `resources` known at build time.
[[nodiscard]] std::filesystem::path resourceFolder();

}  // namespace wb
