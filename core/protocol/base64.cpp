// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/base64.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace wb {
namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t none = 255;

constexpr std::array<std::uint8_t, 256> makeValues() {
  std::array<std::uint8_t, 256> all{};
  all.fill(none);
  for (std::size_t i = 0; i < digits.size(); ++i)
    all[static_cast<std::uint8_t>(digits[i])] = static_cast<std::uint8_t>(i);
  return all;
}
constexpr std::array<std::uint8_t, 256> values = makeValues();

}  // namespace

std::string base64Of(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view part = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8U | (i < part.size() ? static_cast<std::uint8_t>(part[i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i) text += i <= part.size() ? digits[bits >> (18 - 6 * i) & 63U] : '=';
  }
  return text;
}

std::optional<std::string> bytesOfBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t at = 0; at < text.size(); at += 4) {
    const std::size_t left = at + 4 == text.size() ? padding : 0;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint8_t value = i < 4 - left ? values[static_cast<std::uint8_t>(text[at + i])] : 0;
      if (value == none) return std::nullopt;
      bits = bits << 6U | value;
    }
    for (std::size_t i = 0; i < 3 - left; ++i) bytes += static_cast<char>(bits >> (16 - 8 * i) & 255U);
  }
  return bytes;
}

}  // namespace wb
