// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/evaluation/python_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace wb {
namespace {

constexpr int deepest = 200;

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

void appendUtf8(std::string& into, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { into.push_back(static_cast<char>(byte)); };
  if (code >= 0xD800 && code <= 0xDFFF) code = 0xFFFD;  // half of a pair, which no UTF-8 has
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | (code >> 6));
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3F));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

/// Reads one text; what is wrong is thrown within this file.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  OrderedJson whole() {
    skipSpace();
    OrderedJson value = this->value(0);
    skipSpace();
    if (at_ != text_.size()) fail("Extra data", at_);
    return value;
  }

 private:
  [[noreturn]] void fail(const char* message, std::size_t byte) const {
    const auto before = text_.substr(0, byte);
    const auto characters = std::count_if(before.begin(), before.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;  // not the rest of a character
    });
    throw JsonFault{message, static_cast<std::size_t>(characters)};
  }
  [[nodiscard]] char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[nodiscard]] bool isAtEnd() const { return at_ >= text_.size(); }
  void skipSpace() {
    while (here() == ' ' || here() == '\t' || here() == '\n' || here() == '\r') ++at_;
  }
  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  OrderedJson value(int depth) {
    if (depth > deepest) throw JsonFault{"nested too deeply", 0, true};
    if (isAtEnd()) fail("Expecting value", at_);
    switch (here()) {
      case '"':
        return string();
      case '{':
        return object(depth);
      case '[':
        return array(depth);
      default:
        break;
    }
    if (take("null")) return nullptr;
    if (take("true")) return true;
    if (take("false")) return false;
    if (take("NaN")) return std::numeric_limits<double>::quiet_NaN();
    if (take("Infinity")) return std::numeric_limits<double>::infinity();
    if (take("-Infinity")) return -std::numeric_limits<double>::infinity();
    return number();
  }

  OrderedJson object(int depth) {
    OrderedJson made = OrderedJson::object();
    ++at_;
    skipSpace();
    if (here() == '}') {
      ++at_;
      return made;
    }
    while (true) {
      if (here() != '"') fail("Expecting property name enclosed in double quotes", at_);
      std::string key = string();
      skipSpace();
      if (here() != ':') fail("Expecting ':' delimiter", at_);
      ++at_;
      skipSpace();
      made[std::move(key)] = value(depth + 1);
      skipSpace();
      if (here() == '}') break;
      if (here() != ',') fail("Expecting ',' delimiter", at_);
      ++at_;
      skipSpace();
    }
    ++at_;
    return made;
  }

  OrderedJson array(int depth) {
    OrderedJson made = OrderedJson::array();
    ++at_;
    skipSpace();
    if (here() == ']') {
      ++at_;
      return made;
    }
    while (true) {
      made.push_back(value(depth + 1));
      skipSpace();
      if (here() == ']') break;
      if (here() != ',') fail("Expecting ',' delimiter", at_);
      ++at_;
      skipSpace();
    }
    ++at_;
    return made;
  }

  std::uint32_t fourDigits() {
    const std::size_t letter = at_;  // the u
    ++at_;
    std::uint32_t code = 0;
    const auto end = std::min(at_ + 4, text_.size());
    const auto [stop, failed] = std::from_chars(text_.data() + at_, text_.data() + end, code, 16);
    if (failed != std::errc() || stop != text_.data() + at_ + 4) fail("Invalid \\uXXXX escape", letter);
    at_ += 4;
    return code;
  }

  void escape(std::string& into) {
    const std::size_t backslash = at_;
    ++at_;
    if (here() == 'u') {
      std::uint32_t code = fourDigits();
      if (code >= 0xD800 && code <= 0xDBFF && text_.substr(at_, 2) == "\\u") {
        const std::size_t second = at_;
        ++at_;
        const std::uint32_t low = fourDigits();
        if (low >= 0xDC00 && low <= 0xDFFF)
          code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        else
          at_ = second;
      }
      return appendUtf8(into, code);
    }
    constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    const auto found = letters.find(here());
    if (isAtEnd() || found == std::string_view::npos) fail("Invalid \\escape", backslash);
    into.push_back(meant[found]);
    ++at_;
  }

  std::string string() {
    const std::size_t quote = at_;
    ++at_;
    std::string made;
    while (true) {
      if (isAtEnd()) fail("Unterminated string starting at", quote);
      const char c = here();
      if (c == '"') break;
      if (static_cast<unsigned char>(c) < 0x20) fail("Invalid control character at", at_);
      if (c == '\\') {
        if (at_ + 1 >= text_.size()) fail("Unterminated string starting at", quote);
        escape(made);
      } else {
        made.push_back(c);
        ++at_;
      }
    }
    ++at_;
    return made;
  }

  OrderedJson number() {
    const std::size_t start = at_;
    std::size_t end = at_;
    const auto digit = [&](std::size_t i) { return i < text_.size() && isDigit(text_[i]); };
    if (here() == '-') ++end;
    if (!digit(end)) fail("Expecting value", start);
    if (text_[end] == '0')
      ++end;
    else
      while (digit(end)) ++end;
    bool whole = true;
    if (end < text_.size() && text_[end] == '.' && digit(end + 1)) {
      whole = false;
      for (++end; digit(end);) ++end;
    }
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      std::size_t power = end + 1;
      if (power < text_.size() && (text_[power] == '+' || text_[power] == '-')) ++power;
      if (digit(power)) {
        whole = false;
        for (end = power; digit(end);) ++end;
      }
    }
    at_ = end;
    return numberOf(std::string(text_.substr(start, end - start)), whole);
  }

  static OrderedJson numberOf(const std::string& text, bool whole) {
    OrderedJson integer = whole ? wholeNumber(text) : OrderedJson();
    return integer.is_null() ? OrderedJson(std::strtod(text.c_str(), nullptr)) : integer;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

bool isUtf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t more = lead < 0x80                    ? 0
                             : lead >= 0xC2 && lead <= 0xDF ? 1
                             : lead >= 0xE0 && lead <= 0xEF ? 2
                             : lead >= 0xF0 && lead <= 0xF4 ? 3
                                                            : text.size();
    if (i + more >= text.size()) return false;
    for (std::size_t j = 1; j <= more; ++j)
      if ((static_cast<unsigned char>(text[i + j]) & 0xC0U) != 0x80U) return false;
    const auto second = more > 0 ? static_cast<unsigned char>(text[i + 1]) : 0U;
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
        (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F))
      return false;
    i += more + 1;
  }
  return true;
}

OrderedJson wholeNumber(std::string_view digits) {
  if (digits.starts_with('+')) {
    digits.remove_prefix(1);
    if (digits.starts_with('-')) return nullptr;
  }
  const char* const end = digits.data() + digits.size();
  const auto isRead = [&](auto& number) {
    const auto [stop, failed] = std::from_chars(digits.data(), end, number);
    return failed == std::errc() && stop == end;
  };
  if (std::int64_t number = 0; isRead(number)) return number;
  if (std::uint64_t number = 0; isRead(number)) return number;
  return nullptr;
}

std::int64_t signedNumber(const OrderedJson& whole) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const bool isLarge =
      whole.is_number_unsigned() && whole.get<std::uint64_t>() > static_cast<std::uint64_t>(most);
  return isLarge ? most : whole.get<std::int64_t>();
}

std::variant<OrderedJson, JsonFault> parseLikePython(std::string_view text) {
  if (!isUtf8(text)) return JsonFault{"not UTF-8", 0, true};
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  try {
    return Reader(text).whole();
  } catch (const JsonFault& fault) {
    return fault;
  }
}

std::string compactText(const OrderedJson& value) {
  return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace wb
