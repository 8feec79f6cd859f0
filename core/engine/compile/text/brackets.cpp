// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/text/brackets.h"

#include <algorithm>

namespace wb {
namespace {

/// The index of the lexeme so many places further on; lexemes.size() when there is none.
std::size_t moved(Lexemes lexemes, std::size_t from, std::ptrdiff_t by) {
  const std::size_t to = from + static_cast<std::size_t>(by);  // wraps around for a place before the first
  return by == 0 ? lexemes.size() : std::min(to, lexemes.size());
}

}  // namespace

bool opensBracket(const Lexeme& lexeme) {
  return lexeme.is("(") || lexeme.is("[") || lexeme.is("{");
}
bool closesBracket(const Lexeme& lexeme) {
  return lexeme.is(")") || lexeme.is("]") || lexeme.is("}");
}

void pairBrackets(std::vector<Lexeme>& lexemes) {
  // The brackets and angles that are open; an angle that is still open when a bracket closes was not a
  // bracket.
  std::vector<std::size_t> open;
  const auto pairWithLast = [&](std::size_t close) {
    lexemes[open.back()].pair = static_cast<std::ptrdiff_t>(close - open.back());
    lexemes[close].pair = -lexemes[open.back()].pair;
    open.pop_back();
  };
  const auto dropAngles = [&] {
    while (!open.empty() && lexemes[open.back()].text == "<") open.pop_back();
  };
  for (std::size_t i = 0; i < lexemes.size(); ++i) {
    const auto& lexeme = lexemes[i];
    if (lexeme.kind != Lexeme::Kind::punctuation) continue;
    if (opensBracket(lexeme) || lexeme.text == "<") {
      open.push_back(i);
    } else if (lexeme.text == ">") {
      if (!open.empty() && lexemes[open.back()].text == "<") pairWithLast(i);
    } else if (lexeme.text == ";") {
      dropAngles();
    } else if (closesBracket(lexeme)) {
      dropAngles();
      if (!open.empty()) pairWithLast(i);
    }
  }
}

std::size_t closingBracket(Lexemes lexemes, std::size_t open) {
  return moved(lexemes, open, lexemes[open].pair);
}

std::size_t closingAngle(Lexemes lexemes, std::size_t open) {
  return moved(lexemes, open, lexemes[open].pair);
}

std::size_t openingOf(Lexemes lexemes, std::size_t close) {
  return close < lexemes.size() ? moved(lexemes, close, lexemes[close].pair) : lexemes.size();
}

bool isNestedTooDeep(Lexemes lexemes) {
  std::size_t depth = 0;
  for (const auto& lexeme : lexemes) {
    if (opensBracket(lexeme) && ++depth > deepestBrackets) return true;
    if (closesBracket(lexeme) && depth > 0) --depth;
  }
  return false;
}

bool haveWholeConditions(Lexemes lexemes) {
  int depth = 0;
  for (const auto& lexeme : lexemes) {
    if (lexeme.kind != Lexeme::Kind::directive) continue;
    const auto name = readDirective(lexeme).name;
    if (name.starts_with("if")) ++depth;
    if (depth == 0 && (name.starts_with("el") || name == "endif")) return false;
    if (name == "endif") --depth;
  }
  return depth == 0;
}

bool isTornByConditions(Lexemes lexemes) {
  struct Condition {
    /// The depth at which its present group begins.
    int begin;
    /// How many groups change the depth.
    int uneven = 0;
  };
  std::vector<Condition> open;
  int depth = 0;
  for (const auto& lexeme : lexemes) {
    if (opensBracket(lexeme)) ++depth;
    if (closesBracket(lexeme)) --depth;
    if (lexeme.kind != Lexeme::Kind::directive) continue;
    const auto name = readDirective(lexeme).name;
    const bool ends = name == "endif";
    if (name.starts_with("if")) open.push_back({depth});
    if (open.empty() || !(ends || name.starts_with("el"))) continue;
    if (depth != open.back().begin && ++open.back().uneven > 1) return true;
    open.back().begin = depth;
    if (ends) open.pop_back();
  }
  return false;
}

}  // namespace wb
