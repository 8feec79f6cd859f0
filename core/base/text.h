// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

/// The text without blanks and line ends around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// The parts between the separators, as they are: "a,,b" has three, "" has one.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// The lines of a text, without their ends ("\n" or "\r\n"). An end after the last line begins no other.
[[nodiscard]] std::vector<std::string_view> splitLines(std::string_view text);

/// The texts of a range, one after the other, with the separator in between.
template <class Range>
[[nodiscard]] std::string joined(const Range& texts, std::string_view separator) {
  std::string all;
  bool isFirst = true;
  for (const auto& text : texts) {
    if (!isFirst) all += separator;
    isFirst = false;
    all += text;
  }
  return all;
}

/// The first texts and how many follow: "a, b and 4 more".
[[nodiscard]] std::string listed(std::span<const std::string> texts, std::size_t most);

/// The text with the letters A to Z made small; other characters stay.
[[nodiscard]] std::string lowerCase(std::string_view text);

/// What follows the last slash of a path.
[[nodiscard]] std::string_view fileNameOf(std::string_view path);

/// Whether two paths may mean one file: the shorter is the end of the longer, by whole components. A compiler
/// names a file as it was given one, and others know more or less of the folders before it.
[[nodiscard]] bool isSameFile(std::string_view one, std::string_view other);

/// The length of the UTF-8 character (RFC 3629) that begins at `at`; 0 where there is none.
[[nodiscard]] std::size_t utf8Length(std::string_view text, std::size_t at);

}  // namespace wb
