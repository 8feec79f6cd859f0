// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace wb {

struct SourceToken {
  enum class Kind { word, literal, punctuation };  ///< a word is an identifier or keyword
  Kind kind = Kind::punctuation;
  std::string_view text;     ///< punctuation is one character, but "::" and "->"
  int line = 1, column = 1;  ///< in bytes, from 1
  bool is(std::string_view t) const { return kind != Kind::literal && text == t; }
};

/// Tokens of C++ text without comments, preprocessor lines and `#if 0` parts. Views into `source`.
[[nodiscard]] std::vector<SourceToken> tokenizeSource(std::string_view source);

}  // namespace wb
