// SPDX-License-Identifier: Apache-2.0
#pragma once

// An enum whose values have words, for people and for files, written once.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace wb {

/// How many enumerators a list has; a comma after the last one makes no other.
[[nodiscard]] constexpr std::size_t countEnumerators(std::string_view list) {
  std::size_t count = 0;
  bool blank = true;
  for (const char c : list) {
    if (c == ',') blank = true;
    if (blank && c != ',' && c != ' ') {
      ++count;
      blank = false;
    }
  }
  return count;
}

/// The words of an enum, read by the compiler from the text that defines it: `lastOne, other WB_WORD("else")`
/// gives "last-one" and "else".
template <std::size_t count, std::size_t length>
class EnumWords {
 public:
  explicit constexpr EnumWords(std::string_view list) {
    std::size_t value = 0, end = 0;
    for (std::size_t at = 0; value < count; ++value) {
      const std::size_t comma = std::min(list.find(',', at), list.size());
      const std::string_view item = list.substr(at, comma - at);
      const std::size_t quote = item.find('"');
      const bool isGiven = quote != item.npos;
      const std::size_t first = isGiven ? quote + 1 : item.find_first_not_of(' ');
      const std::size_t last = std::min(item.find(isGiven ? '"' : ' ', first), item.size());
      for (const char c : item.substr(first, last - first)) {
        const bool isUpper = c >= 'A' && c <= 'Z' && !isGiven;
        if (isUpper) text_[end++] = '-';
        text_[end++] = isUpper ? static_cast<char>(c - 'A' + 'a') : c;
      }
      ends_[value] = end;
      at = comma + 1;
    }
  }
  /// The word of a value; "" of a number that is no value of the enum.
  [[nodiscard]] constexpr std::string_view word(std::size_t value) const {
    if (value >= count) return "";
    const std::size_t begin = value == 0 ? 0 : ends_[value - 1];
    return {text_.data() + begin, ends_[value] - begin};
  }
  [[nodiscard]] static constexpr std::size_t size() { return count; }

 private:
  std::array<char, 2 * length> text_{};
  std::array<std::size_t, count> ends_{};
};

/// Defines an enum class and name(), which gives the word of a value: the enumerator's name with hyphens, or
/// what WB_WORD says behind it.
///
///   WB_ENUM(Answer, yes, notYet, invalid WB_WORD("void"));
///   static_assert(name(Answer::notYet) == "not-yet");
#define WB_ENUM(Type, ...)                                                                                   \
  enum class Type { __VA_ARGS__ };                                                                           \
  inline constexpr ::wb::EnumWords<::wb::countEnumerators(#__VA_ARGS__), sizeof #__VA_ARGS__> wordsOf##Type( \
      #__VA_ARGS__);                                                                                         \
  [[nodiscard]] constexpr const auto& enumWords(Type) {                                                      \
    return wordsOf##Type;                                                                                    \
  }                                                                                                          \
  [[nodiscard]] constexpr std::string_view name(Type value) {                                                \
    return wordsOf##Type.word(static_cast<std::size_t>(value));                                              \
  }                                                                                                          \
  static_assert(true, "so that a semicolon may follow")
#define WB_WORD(text)

/// All values of an enum that WB_ENUM defined, in order.
template <class E>
inline constexpr auto enumValues = [] {
  std::array<E, enumWords(E{}).size()> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<E>(i);
  return values;
}();

}  // namespace wb
