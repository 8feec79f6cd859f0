// SPDX-License-Identifier: Apache-2.0
#include "core/base/cut_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/quantity.h"

namespace wb {

namespace {

/// What is said in place of what was cut.
constexpr std::size_t longestWord = 64;

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;  // a later byte of a character
}

}  // namespace

std::string cutText(std::string text, std::size_t limit) {
  if (text.size() <= limit) return text;
  limit -= std::min<std::size_t>(longestWord, limit / 2);  // so that what was cut once is not cut again
  // The end says what was raised; the beginning how it came about.
  std::size_t head = limit - limit / 3, tail = text.size() - limit / 3;
  while (head > 0 && continues(text[head])) --head;
  while (tail < text.size() && continues(text[tail])) ++tail;
  const std::string word =
      fmt::format("\n[… {} were cut out here …]\n", formatBytes(static_cast<double>(tail - head)));
  return text.substr(0, head) + word + text.substr(tail);
}

}  // namespace wb
