// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/text/source_scan.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/engine/compile/text/brackets.h"
#include "core/engine/compile/text/line_index.h"

namespace wb {
namespace {

using Kind = Lexeme::Kind;

/// Whether a word may stand before a parenthesis without being a function's name.
bool takesParentheses(std::string_view word) {
  constexpr std::array words{
      "__attribute__", "__attribute", "alignas",       "decltype",   "noexcept", "requires", "explicit",
      "sizeof",        "__declspec",  "typeof",        "__typeof__", "if",       "while",    "for",
      "switch",        "return",      "static_assert", "asm",        "throw",    "catch",    "auto"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool has(Lexemes lexemes, std::string_view word) {
  return std::any_of(lexemes.begin(), lexemes.end(), [&](const Lexeme& t) { return t.is(word); });
}

/// The index after the bracket that closes the one at `open`; lexemes.size() when nothing does.
std::size_t afterBrackets(Lexemes lexemes, std::size_t open) {
  return std::min(closingBracket(lexemes, open) + 1, lexemes.size());
}
std::size_t afterAngles(Lexemes lexemes, std::size_t open) {
  return std::min(closingAngle(lexemes, open) + 1, lexemes.size());
}

/// The index of the '(' of a declaration's parameters; nullopt for one that declares no function. It is the
/// last '(' that follows a name, since a macro may come before.
std::optional<std::size_t> parametersOf(Lexemes declaration) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < declaration.size();) {
    const auto& t = declaration[i];
    const bool afterWord = i > 0 && declaration[i - 1].kind == Kind::word;
    if (t.is("=") || t.is("operator")) return std::nullopt;
    if (t.is("->")) return found;
    if (t.is("<") && afterWord) {
      i = afterAngles(declaration, i);
    } else if (t.is("(") || t.is("[")) {
      if (t.is("(") && afterWord && !takesParentheses(declaration[i - 1].text)) found = i;
      i = afterBrackets(declaration, i);
    } else {
      ++i;
    }
  }
  return found;
}

bool joins(const Lexeme& left, const Lexeme& right) {
  constexpr std::string_view tight = "<>:(),";
  return left.text == "::" || right.text == "::" || left.is("<") ||
         (right.kind == Kind::punctuation && tight.find(right.text[0]) != std::string_view::npos);
}

ParameterText textOf(Lexemes lexemes, const LineIndex& lines) {
  ParameterText p;
  const Place place = lines.place(lexemes.front().offset, {});
  p.line = place.line;
  p.column = place.column;
  for (std::size_t i = 0; i < lexemes.size(); ++i) {
    if (i > 0 && !joins(lexemes[i - 1], lexemes[i])) p.text += ' ';
    p.text += lexemes[i].spelling();
  }
  return p;
}

/// Splits what is between the parentheses at its commas.
std::vector<ParameterText> parameterTexts(Lexemes inside, const LineIndex& lines) {
  std::vector<ParameterText> out;
  std::size_t start = 0;
  const auto flush = [&](std::size_t end) {
    if (end > start) out.push_back(textOf(inside.subspan(start, end - start), lines));
    start = end + 1;
  };
  for (std::size_t i = 0; i < inside.size();) {
    if (inside[i].is("<") && i > 0 && inside[i - 1].kind == Kind::word) {
      i = afterAngles(inside, i);
    } else if (inside[i].is("(") || inside[i].is("[") || inside[i].is("{")) {
      i = afterBrackets(inside, i);
    } else if (inside[i].is(",")) {
      flush(i++);
    } else {
      ++i;
    }
  }
  flush(inside.size());
  if (out.size() == 1 && out[0].text == "void") out.clear();
  return out;
}

class Scanner {
 public:
  Scanner(Lexemes lexemes, std::string_view source) : lexemes_(lexemes), lines_(source) {}
  std::vector<FunctionDefinition> run() {
    while (at_ < lexemes_.size()) {
      scope("", false);
      ++at_;  // there is one closing brace too many
    }
    return std::move(found_);
  }

 private:
  /// Reads declarations up to the closing brace of the namespace.
  void scope(const std::string& prefix, bool internal) {
    std::size_t start = at_;
    while (at_ < lexemes_.size() && !lexemes_[at_].is("}")) {
      const auto& t = lexemes_[at_];
      if (t.is("(") || t.is("[")) {
        at_ = afterBrackets(lexemes_, at_);
      } else if (t.is("{")) {
        braces(lexemes_.subspan(start, at_ - start), prefix, internal, start);
      } else {
        ++at_;
        if (t.is(";")) start = at_;
      }
    }
  }

  void braces(Lexemes declaration, const std::string& prefix, bool internal, std::size_t& start) {
    const bool linkage =
        declaration.size() == 2 && declaration[0].is("extern") && declaration[1].kind == Kind::literal;
    if (linkage || (has(declaration, "namespace") && !has(declaration, "("))) {
      std::string inner = prefix;
      bool named = linkage;
      bool past = false;
      for (const auto& t : declaration) {
        if (past && t.kind == Kind::word && !t.is("inline")) inner += "::" + t.spelling(), named = true;
        past = past || t.is("namespace");
      }
      ++at_;
      scope(inner, internal || !named);
      if (at_ < lexemes_.size()) ++at_;
      start = at_;
      return;
    }
    const auto parameters = parametersOf(declaration);
    if (parameters) record(declaration, *parameters, prefix, internal);
    at_ = afterBrackets(lexemes_, at_);
    // After a class or an initializer the declaration goes on up to its ';'.
    if (parameters || declaration.empty() || has(declaration, "operator")) start = at_;
  }

  void record(Lexemes declaration, std::size_t open, const std::string& prefix, bool internal) {
    const auto& name = declaration[open - 1];
    if (open >= 2 && declaration[open - 2].is("::")) return;  // it is a member, or declared elsewhere
    FunctionDefinition f;
    f.name = name.spelling();
    f.qualified = prefix + "::" + f.name;
    const Place place = lines_.place(name.offset, {});
    f.line = place.line;
    f.column = place.column;
    f.internal = internal || has(declaration.first(open), "static");
    f.isTemplate = declaration.front().is("template");
    const auto end = afterBrackets(declaration, open);
    if (end > open + 1) f.parameters = parameterTexts(declaration.subspan(open + 1, end - open - 2), lines_);
    found_.push_back(std::move(f));
  }

  Lexemes lexemes_;
  LineIndex lines_;
  std::size_t at_ = 0;
  std::vector<FunctionDefinition> found_;
};

}  // namespace

std::vector<FunctionDefinition> scanFunctions(std::string_view source) {
  const auto lexemes = lexCode(source);
  if (isNestedTooDeep(lexemes)) return {};
  return Scanner(lexemes, source).run();
}

bool mentions(std::string_view source, std::string_view qualifiedName) {
  const auto lexemes = lexCode(source);
  const auto wanted = lexCode(qualifiedName);
  const auto same = [](const Lexeme& a, const Lexeme& b) {
    return a.kind == b.kind && a.spelling() == b.spelling();
  };
  return std::search(lexemes.begin(), lexemes.end(), wanted.begin(), wanted.end(), same) != lexemes.end();
}

}  // namespace wb
