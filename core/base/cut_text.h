// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace wb {

/// A message or a trace as far as anybody reads it: its beginning and its end, and in between a word on how
/// much is missing. Text of at most `limit` bytes comes back as it is; what is cut is never half a character
/// of UTF-8.
[[nodiscard]] std::string cutText(std::string text, std::size_t limit);

/// How long a text of an error, a verdict or a diagnostic may be.
constexpr std::size_t longestMessage = std::size_t{16} << 10;
constexpr std::size_t longestTrace = std::size_t{32} << 10;

}  // namespace wb
