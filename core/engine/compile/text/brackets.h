// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/compile/text/lexer.h"

namespace wb {

[[nodiscard]] bool opensBracket(const Lexeme& lexeme);   ///< ( [ {
[[nodiscard]] bool closesBracket(const Lexeme& lexeme);  ///< ) ] }

/// Index of the bracket that closes the (, [ or { at `open`; lexemes.size() when nothing does.
[[nodiscard]] std::size_t closingBracket(Lexemes lexemes, std::size_t open);
/// Index of the '>' that closes the '<' at `open`; lexemes.size() when nothing does.
[[nodiscard]] std::size_t closingAngle(Lexemes lexemes, std::size_t open);
/// Index of the '<', (, [ or { that opens what is closed at `close`; lexemes.size() when nothing does.
[[nodiscard]] std::size_t openingOf(Lexemes lexemes, std::size_t close);

}  // namespace wb
