// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace wb {

/// What all caches of the cache folder together may take: 4 GiB, or as many as the environment variable
/// WARPBENCH_CACHE_GIB says.
[[nodiscard]] std::int64_t cacheLimitBytes();

/// Removes what was used longest ago from the caches below `cache` (`build`, `cubin`, `suites` and `pch`)
/// until they take at most nine tenths of `limitBytes`, if they take more than that. What was used within the
/// last hour stays, since another process may be about to read it. Never fails: what cannot be removed stays.
void keepCacheWithin(const std::filesystem::path& cache, std::int64_t limitBytes);

}  // namespace wb
