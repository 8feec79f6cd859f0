// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace wb {

/// What is wrong with an option's value that has to be a whole number from `low` to `high`, in words: "'-1'
/// is not a whole number from 0 to 18446744073709551615"; "" when nothing is wrong.
[[nodiscard]] std::string notWhole(const std::string& text, std::uint64_t low, std::uint64_t high);

/// How many processes may share a job's cases, which is more than any machine can use.
inline constexpr std::uint64_t mostWorkers = 256;

}  // namespace wb
