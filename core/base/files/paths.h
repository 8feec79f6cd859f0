// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace wb {

/// Per-user folders (XDG). None of them is created by asking.
/// $WARPBENCH_CACHE, else $XDG_CACHE_HOME/warpbench.
[[nodiscard]] std::filesystem::path cacheFolder();
/// $WARPBENCH_DATA, else $XDG_DATA_HOME/warpbench.
[[nodiscard]] std::filesystem::path dataFolder();
/// $WARPBENCH_CONFIG, else $XDG_CONFIG_HOME/warpbench.
[[nodiscard]] std::filesystem::path configFolder();

/// A path in which "~/" at the front is the user's home.
[[nodiscard]] std::string atHome(const std::string& path);

/// The folder of the running program (/proc/self/exe); where this code is in a library, the folder of that
/// library.
[[nodiscard]] std::filesystem::path programFolder();

/// The folder with suites, templates and samples: $WARPBENCH_RESOURCES, else ../share/warpbench beside the
/// program's folder (installed), else the source tree's `resources` that was known at build time.
[[nodiscard]] std::filesystem::path resourceFolder();

/// Where processes of this user agree who measures: $WARPBENCH_LOCKS, else "locks" in
/// $XDG_RUNTIME_DIR/warpbench or in a folder of the user's in the temporary folder. Nothing else lies there,
/// since kernels inside walls may read it.
[[nodiscard]] std::filesystem::path lockFolder();

}  // namespace wb
