// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

/// The names most like `wanted`, best first, at most `count`, and none that shares too little with it. The
/// measure is the case-insensitive Damerau-Levenshtein distance; a common prefix or substring counts for a
/// name.
[[nodiscard]] std::vector<std::string> nearest(std::string_view wanted, std::span<const std::string> names,
                                               std::size_t count = 3);

/// "did you mean relu, relu6 or prelu?" or "" when nothing is near.
[[nodiscard]] std::string didYouMean(std::string_view wanted, std::span<const std::string> names);

}  // namespace wb
