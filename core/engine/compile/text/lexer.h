// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

inline constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

/// A token of C++ or CUDA. Each logical line of the preprocessor is a token too.
struct Lexeme {
  /// A word is an identifier or a keyword.
  enum class Kind { word, literal, punctuation, directive };
  Kind kind = Kind::punctuation;
  /// The text as it stands in the source, with line splices (a backslash at a line's end). Punctuation is one
  /// character, except "::" and "->". A literal's prefix and suffix belong to it.
  std::string_view text;
  /// Its place in bytes from the text's beginning.
  std::size_t offset = 0;
  /// How many lexemes further on the bracket or angle stands that closes this one, or opens it (then below
  /// 0); 0 when there is none. See brackets.h.
  std::ptrdiff_t pair = 0;
  /// Nothing but splices stands between it and the lexeme before.
  bool touches = false;
  /// A line's end stands within the word or punctuation.
  bool spliced = false;
  [[nodiscard]] std::size_t end() const { return offset + text.size(); }
  /// Whether it is a word or a punctuation with this spelling.
  [[nodiscard]] bool is(std::string_view t) const {
    return (kind == Kind::word || kind == Kind::punctuation) && (spliced ? spelling() == t : text == t);
  }
  /// The text without splices.
  [[nodiscard]] std::string spelling() const;
};
using Lexemes = std::span<const Lexeme>;

/// The tokens of `text`, by the rules of C++'s phases 1 to 3 without digraphs, trigraphs and universal
/// character names. It leaves out comments and what is certainly not compiled: what follows `#if 0` up to its
/// #elif, #else or #endif, and the #elif and #else of an `#if 1`. Of other conditions everything is read.
/// Never fails: a string ends with its line at the latest, a comment and a raw string with the text. The
/// lexemes are views into `text`; `base` is added to their offsets.
[[nodiscard]] std::vector<Lexeme> lexCuda(std::string_view text, std::size_t base = 0);

/// The same without preprocessor lines.
[[nodiscard]] std::vector<Lexeme> lexCode(std::string_view text);

/// The end of the comment that begins at `at`; `at` where none begins.
[[nodiscard]] std::size_t commentEnd(std::string_view text, std::size_t at);

/// The parts of a directive: {"include", "<torch/extension.h>"}, {"define", "N 4"}.
struct Directive {
  std::string_view name, rest;
};
[[nodiscard]] Directive readDirective(const Lexeme& lexeme);

}  // namespace wb
