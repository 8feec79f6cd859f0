// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include <algorithm>
#include <filesystem>

namespace wb {

namespace {

char lowerCase(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// A path without what says nothing of where it ends: ".", "a/..", ".." at its beginning.
std::vector<std::string_view> componentsOf(const std::string& path) {
  std::vector<std::string_view> components = split(path, '/');
  std::erase_if(components, [](std::string_view one) { return one.empty() || one == "." || one == ".."; });
  return components;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> splitLines(std::string_view text) {
  if (text.empty()) return {};
  if (text.ends_with('\n')) text.remove_suffix(1);
  std::vector<std::string_view> lines = split(text, '\n');
  for (std::string_view& line : lines)
    if (line.ends_with('\r')) line.remove_suffix(1);
  return lines;
}

std::string listed(std::span<const std::string> texts, std::size_t most) {
  const std::size_t shown = std::min(texts.size(), most);
  const std::string more =
      texts.size() > shown ? " and " + std::to_string(texts.size() - shown) + " more" : std::string();
  return joined(texts.first(shown), ", ") + more;
}

std::string lowerCase(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), [](char c) { return lowerCase(c); });
  return small;
}

std::string_view fileNameOf(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

bool isSameFile(std::string_view one, std::string_view other) {
  if (one == other) return true;
  const std::string oneText = std::filesystem::path(one).lexically_normal().string();
  const std::string otherText = std::filesystem::path(other).lexically_normal().string();
  const auto left = componentsOf(oneText), right = componentsOf(otherText);
  const auto count = static_cast<std::ptrdiff_t>(std::min(left.size(), right.size()));
  return count > 0 && std::equal(left.end() - count, left.end(), right.end() - count);
}

std::size_t utf8Length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  if (at >= text.size()) return 0;
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  const bool isOverlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool isSurrogate = lead == 0xED && byte(1) >= 0xA0;
  const bool isBeyondUnicode = lead == 0xF4 && byte(1) >= 0x90;
  return isOverlong || isSurrogate || isBeyondUnicode ? 0 : length;
}

}  // namespace wb
