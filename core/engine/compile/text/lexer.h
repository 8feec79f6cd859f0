// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

inline constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

/// A token of C++ or CUDA. Preprocessor lines are tokens too: each logical line is one.
struct Lexeme {
  enum class Kind { word, literal, punctuation, directive };  ///< a word is an identifier or a keyword
  Kind kind = Kind::punctuation;
  /// As it stands in the source, line splices (a backslash at a line's end) included. Punctuation is one
  /// character, but "::" and "->". A literal's prefix and suffix belong to it.
  std::string_view text;
  std::size_t offset = 0;  ///< in bytes from the text's begin
  /// How many lexemes further on stands what closes this bracket or angle, or opens it (then below 0); 0:
  /// nowhere. See brackets.h.
  std::ptrdiff_t pair = 0;
  bool touches = false;  ///< nothing stands between it and the lexeme before, but splices
  bool spliced = false;  ///< a line's end stands within the word or punctuation
  [[nodiscard]] std::size_t end() const { return offset + text.size(); }
  /// A word or a punctuation with this spelling.
  [[nodiscard]] bool is(std::string_view t) const {
    return (kind == Kind::word || kind == Kind::punctuation) && (spliced ? spelling() == t : text == t);
  }
  /// The text without splices.
  [[nodiscard]] std::string spelling() const;
};
using Lexemes = std::span<const Lexeme>;

/// Tokens of `text`, by the rules of C++'s phases 1 to 3 without digraphs, trigraphs and universal character
/// names. Left out are comments and what is certainly not compiled: what follows `#if 0` up to its #elif,
/// #else or #endif, and the #elif and #else of an `#if 1`. Of other conditions everything is read. Never
/// fails: a string ends with its line at the latest, a comment and a raw string with the text. The lexemes
/// are views into `text`; `base` is added to their offsets.
[[nodiscard]] std::vector<Lexeme> lexCuda(std::string_view text, std::size_t base = 0);

/// The same without preprocessor lines.
[[nodiscard]] std::vector<Lexeme> lexCode(std::string_view text);

/// End of the comment that begins at `at`; `at` where none does.
[[nodiscard]] std::size_t commentEnd(std::string_view text, std::size_t at);

/// What a directive says: {"include", "<torch/extension.h>"}, {"define", "N 4"}.
struct Directive {
  std::string_view name, rest;
};
[[nodiscard]] Directive readDirective(const Lexeme& lexeme);

}  // namespace wb
