// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace wb {

/// A 128-bit content hash (XXH3) of the parts, each with its length, as 32 hex digits. The build caches use
/// it as key.
[[nodiscard]] std::string contentHash(std::initializer_list<std::string_view> parts);

}  // namespace wb
