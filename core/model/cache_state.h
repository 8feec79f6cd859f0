// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace wb {

/// What the device's caches held of a call's arguments when it began: nothing (cold), or whatever the same
/// call had left there (hot).
enum class CacheState { unknown, cold, hot };
[[nodiscard]] std::string_view name(CacheState state);

}  // namespace wb
