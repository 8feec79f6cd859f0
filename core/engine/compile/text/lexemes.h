// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace wb {

/// A token of CUDA C++. Preprocessor lines are tokens too: each logical line is one.
struct Lexeme {
  enum class Kind { word, literal, punctuation, directive };
  Kind kind = Kind::punctuation;
  std::string_view text;   ///< punctuation is one character, but "::" and "->"
  std::size_t offset = 0;  ///< in bytes from the text's begin
  [[nodiscard]] std::size_t end() const { return offset + text.size(); }
  [[nodiscard]] bool is(std::string_view t) const {
    return (kind == Kind::word || kind == Kind::punctuation) && text == t;
  }
};
using Lexemes = std::span<const Lexeme>;

/// Tokens of `text`; comments and what stands in `#if 0` are left out. Views into `text`; `base` is added to
/// the offsets.
[[nodiscard]] std::vector<Lexeme> lexCuda(std::string_view text, std::size_t base = 0);

/// What a directive says: {"include", "<torch/extension.h>"}, {"define", "N 4"}.
struct Directive {
  std::string_view name, rest;
};
[[nodiscard]] Directive readDirective(const Lexeme& lexeme);

/// Index of the bracket that closes the (, [ or { at `open`; lexemes.size() when nothing does.
[[nodiscard]] std::size_t closingBracket(Lexemes lexemes, std::size_t open);
/// Index of the '>' that closes the '<' at `open`; lexemes.size() when nothing does.
[[nodiscard]] std::size_t closingAngle(Lexemes lexemes, std::size_t open);
/// Index of the '<', (, [ or { that opens what is closed at `close`; lexemes.size() when nothing does.
[[nodiscard]] std::size_t openingOf(Lexemes lexemes, std::size_t close);

}  // namespace wb
