// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace wb {

/// A folder of the cache.
struct Cache {
  /// The folder's name: "build".
  std::string name;
  /// What it holds, in words: "compiled kernels".
  std::string_view holds;
  std::filesystem::path folder;
  std::int64_t bytes = 0;
};

/// What is in the cache folder, the largest first. It reads folders, so it is not for the UI thread.
[[nodiscard]] std::vector<Cache> caches();
[[nodiscard]] std::int64_t bytesOf(const std::vector<Cache>& caches);

/// Empties the cache folder, all that can be made again; gives the bytes that became free. A run that is
/// under way may have to make something twice. What cannot be removed stays.
std::int64_t emptyCaches();

}  // namespace wb
