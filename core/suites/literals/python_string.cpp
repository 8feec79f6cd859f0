// SPDX-License-Identifier: Apache-2.0
#include "core/suites/literals/python_string.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>

#include "core/base/text.h"

namespace wb {
namespace {

Error errorAt(std::size_t offset, std::string what) {
  return Error{Stage::job, std::move(what), "", Place{"", 0, static_cast<int>(offset) + 1}};
}

void appendUtf8(std::string& out, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { out += static_cast<char>(static_cast<unsigned char>(value)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | code >> 6);
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3F));
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

std::optional<std::uint32_t> digitOf(char c, std::uint32_t base) {
  std::uint32_t value = 99;
  if (c >= '0' && c <= '9') value = static_cast<std::uint32_t>(c - '0');
  if (c >= 'a' && c <= 'f') value = static_cast<std::uint32_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') value = static_cast<std::uint32_t>(c - 'A' + 10);
  if (value >= base) return std::nullopt;
  return value;
}

/// Reads digits from `at` on, between `least` and `most` of them.
std::optional<std::uint32_t> number(std::string_view text, std::size_t& at, std::uint32_t base, int least,
                                    int most) {
  std::uint32_t value = 0;
  int count = 0;
  for (; count < most && at < text.size(); ++count, ++at) {
    const auto digit = digitOf(text[at], base);
    if (!digit) break;
    value = value * base + *digit;
  }
  if (count < least) return std::nullopt;
  return value;
}

/// Reads an escape; `at` is after the backslash. False for a broken escape.
bool readEscape(std::string_view text, std::size_t& at, std::string& out) {
  const char c = text[at++];
  constexpr std::string_view plain = "\\'\"abfnrtv";
  constexpr std::string_view meaning = "\\'\"\a\b\f\n\r\t\v";
  if (const auto i = plain.find(c); i != std::string_view::npos) {
    out += meaning[i];
    return true;
  }
  std::optional<std::uint32_t> code;
  if (c == 'x') {
    code = number(text, at, 16, 2, 2);
  } else if (c == 'u') {
    code = number(text, at, 16, 4, 4);
  } else if (c == 'U') {
    code = number(text, at, 16, 8, 8);
  } else if (c >= '0' && c <= '7') {
    --at;
    code = number(text, at, 8, 1, 3);
    // Python keeps the backslash of an escape that it does not know.
  } else {
    out += '\\';
    out += c;
    return true;
  }
  if (!code || *code > 0x10FFFF || (*code >= 0xD800 && *code < 0xE000)) return false;
  appendUtf8(out, *code);
  return true;
}

}  // namespace

Result<std::string> readPythonString(std::string_view text, std::size_t& at) {
  const std::size_t start = at;
  const char quote = text[at++];
  std::string out;
  while (at < text.size() && text[at] != quote && text[at] != '\n') {
    if (text[at] != '\\') {
      out += text[at++];
      continue;
    }
    const std::size_t escape = at++;
    if (at >= text.size()) break;
    if (!readEscape(text, at, out)) return errorAt(escape, "a broken escape in a string");
  }
  if (at >= text.size() || text[at] != quote) return errorAt(start, "a string without its closing quote");
  ++at;
  return out;
}

std::string pythonRepr(std::string_view text) {
  const bool single = text.find('\'') == std::string_view::npos || text.find('"') != std::string_view::npos;
  const char quote = single ? '\'' : '"';
  std::string out(1, quote);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n' || c == '\r' || c == '\t') {
      out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else if (byte >= 0x20 && byte < 0x7F) {
      out += c;
    } else if (const std::size_t length = byte >= 0x80 ? utf8Length(text, i) : 0; length > 0) {
      out += text.substr(i, length);
      i += length - 1;
    } else {
      out += fmt::format("\\x{:02x}", byte);
    }
  }
  return out + quote;
}

}  // namespace wb
