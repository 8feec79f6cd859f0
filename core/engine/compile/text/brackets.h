// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/engine/compile/text/lexer.h"

namespace wb {

/// Whether it is ( [ or {.
[[nodiscard]] bool opensBracket(const Lexeme& lexeme);
/// Whether it is ) ] or }.
[[nodiscard]] bool closesBracket(const Lexeme& lexeme);

/// Sets Lexeme::pair of all brackets, and of angles as far as they may be brackets: within one statement and
/// one pair of other brackets.
void pairBrackets(std::vector<Lexeme>& lexemes);

/// The index of the bracket that closes the (, [ or { at `open`; lexemes.size() when nothing does.
[[nodiscard]] std::size_t closingBracket(Lexemes lexemes, std::size_t open);
/// The index of the '>' that closes the '<' at `open`; lexemes.size() when nothing does.
[[nodiscard]] std::size_t closingAngle(Lexemes lexemes, std::size_t open);
/// The index of the '<', (, [ or { that opens what is closed at `close`; lexemes.size() when nothing does.
[[nodiscard]] std::size_t openingOf(Lexemes lexemes, std::size_t close);

/// Compilers take brackets that are nested this deep and no deeper.
inline constexpr std::size_t deepestBrackets = 256;
[[nodiscard]] bool isNestedTooDeep(Lexemes lexemes);

/// Whether two or more groups of a condition leave brackets open, or close some: `#ifdef A`, `void f() {`,
/// `#else`, `void f(int) {`, `#endif`. Only somebody who knows the condition can tell what belongs together.
[[nodiscard]] bool isTornByConditions(Lexemes lexemes);

/// Whether each #if has its #endif among them, and each #else and #endif its #if.
[[nodiscard]] bool haveWholeConditions(Lexemes lexemes);

}  // namespace wb
