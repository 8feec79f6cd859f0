// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace wb {

/// What is wrong with an option's value that has to be a whole number from `low` to `high`: "" when nothing
/// is, else words: "'-1' is not a whole number from 0 to 18446744073709551615".
[[nodiscard]] std::string notWhole(const std::string& text, std::uint64_t low, std::uint64_t high);

/// Processes that may share a job's cases: more than any machine has use for.
inline constexpr std::uint64_t mostWorkers = 256;

}  // namespace wb
