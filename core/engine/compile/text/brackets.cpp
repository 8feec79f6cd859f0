// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/text/brackets.h"

namespace wb {

bool opensBracket(const Lexeme& lexeme) {
  return lexeme.is("(") || lexeme.is("[") || lexeme.is("{");
}
bool closesBracket(const Lexeme& lexeme) {
  return lexeme.is(")") || lexeme.is("]") || lexeme.is("}");
}

std::size_t closingBracket(Lexemes lexemes, std::size_t open) {
  int depth = 0;
  for (auto i = open; i < lexemes.size(); ++i) {
    if (opensBracket(lexemes[i])) ++depth;
    if (closesBracket(lexemes[i]) && --depth == 0) return i;
  }
  return lexemes.size();
}

std::size_t closingAngle(Lexemes lexemes, std::size_t open) {
  int depth = 0;
  for (auto i = open; i < lexemes.size(); ++i) {
    const auto& l = lexemes[i];
    if (opensBracket(l)) {
      i = closingBracket(lexemes, i);
    } else if (l.is("<")) {
      ++depth;
    } else if (l.is(">")) {
      if (--depth == 0) return i;
    } else if (closesBracket(l) || l.is(";")) {
      break;
    }
  }
  return lexemes.size();
}

std::size_t openingOf(Lexemes lexemes, std::size_t close) {
  if (close >= lexemes.size()) return lexemes.size();
  const bool angle = lexemes[close].is(">");
  int depth = 0;
  for (auto i = close + 1; i-- > 0;) {
    const auto& l = lexemes[i];
    if (angle && closesBracket(l)) {
      const auto open = openingOf(lexemes, i);
      if (open == lexemes.size()) break;
      i = open;
    } else if (angle ? l.is(">") : closesBracket(l)) {
      ++depth;
    } else if (angle ? l.is("<") : opensBracket(l)) {
      if (--depth == 0) return i;
    } else if (angle && (l.is(";") || opensBracket(l))) {
      break;
    }
  }
  return lexemes.size();
}

}  // namespace wb
