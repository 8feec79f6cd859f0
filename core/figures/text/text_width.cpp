// SPDX-License-Identifier: Apache-2.0
#include "core/figures/text/text_width.h"

#include <array>
#include <utility>

namespace wb {

namespace {

using Range = std::pair<char32_t, char32_t>;
constexpr std::array zeroWidth = {Range{0x300, 0x36F},   Range{0x200B, 0x200F}, Range{0x202A, 0x202E},
                                  Range{0x2060, 0x2064}, Range{0x20D0, 0x20FF}, Range{0xFE00, 0xFE0F},
                                  Range{0xFE20, 0xFE2F}, Range{0xFEFF, 0xFEFF}};
constexpr std::array doubleWidth = {
    Range{0x1100, 0x115F},   Range{0x2E80, 0x303E},   Range{0x3041, 0xA4CF},   Range{0xAC00, 0xD7A3},
    Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},
    Range{0x1F300, 0x1F64F}, Range{0x1F680, 0x1F6FF}, Range{0x1F900, 0x1F9FF}, Range{0x20000, 0x3FFFD}};

/// These turn the direction of what follows, so that it reads differently from what it is.
constexpr std::array turning = {Range{0x202A, 0x202E}, Range{0x2066, 0x2069}};

template <std::size_t n>
bool within(char32_t point, const std::array<Range, n>& ranges) {
  for (const Range& range : ranges)
    if (point >= range.first && point <= range.second) return true;
  return false;
}

std::size_t widthOf(char32_t point) {
  if (point < 0x300) return 1;
  if (within(point, zeroWidth)) return 0;
  return within(point, doubleWidth) ? 2 : 1;
}

struct Point {
  char32_t value = 0;
  std::size_t bytes = 1;
};

/// The code point at `at`; a byte that starts none is one of its own.
Point pointAt(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  const std::size_t bytes = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  if (bytes == 1 || at + bytes > text.size()) return {lead, 1};
  char32_t value = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80U) return {lead, 1};
    value = (value << 6U) | (byte(at + i) & 0x3FU);
  }
  return {value, bytes};
}

}  // namespace

std::size_t displayWidth(std::string_view utf8) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < utf8.size();) {
    const Point point = pointAt(utf8, at);
    width += widthOf(point.value);
    at += point.bytes;
  }
  return width;
}

std::string truncated(std::string_view utf8, std::size_t columns) {
  if (displayWidth(utf8) <= columns) return std::string(utf8);
  if (columns == 0) return {};
  std::size_t width = 0, at = 0;
  while (at < utf8.size()) {
    const Point point = pointAt(utf8, at);
    if (width + widthOf(point.value) > columns - 1) break;
    width += widthOf(point.value);
    at += point.bytes;
  }
  return std::string(utf8.substr(0, at)) + "…";
}

std::string printable(std::string_view utf8) {
  std::string text(utf8);
  for (std::size_t at = 0; at < text.size();) {
    const Point point = pointAt(text, at);
    const bool control =
        point.value < 0x20 || (point.value >= 0x7F && point.value < 0xA0) || within(point.value, turning);
    for (std::size_t i = 0; control && i < point.bytes; ++i) text[at + i] = ' ';
    at += point.bytes;
  }
  return text;
}

}  // namespace wb
