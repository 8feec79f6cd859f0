// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/text/lexemes.h"

#include <algorithm>
#include <string>

namespace wb {
namespace {

using Kind = Lexeme::Kind;

bool isWordStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

class Lexer {
 public:
  Lexer(std::string_view text, std::size_t base) : text_(text), base_(base) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  std::vector<Lexeme> run() {
    bool lineBegins = true;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        lineBegins = true;
        ++at_;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || splice(at_)) {
        at_ += splice(at_) ? splice(at_) : 1;
      } else if (const auto end = commentEnd(at_); end != at_) {
        at_ = end;
      } else if (c == '#' && lineBegins) {
        directive();
      } else {
        lineBegins = false;
        token();
      }
    }
    return std::move(lexemes_);
  }

 private:
  [[nodiscard]] char peek(std::size_t n) const { return at_ + n < text_.size() ? text_[at_ + n] : '\0'; }

  /// Length of a backslash and the line's end after it; 0 when there is none.
  [[nodiscard]] std::size_t splice(std::size_t at) const {
    if (text_[at] != '\\') return 0;
    const auto rest = text_.substr(at + 1);
    return rest.starts_with("\n") ? 2 : rest.starts_with("\r\n") ? 3 : 0;
  }

  [[nodiscard]] std::size_t commentEnd(std::size_t at) const {
    const auto rest = text_.substr(at);
    if (rest.starts_with("/*")) {
      const auto end = text_.find("*/", at + 2);
      return end == std::string_view::npos ? text_.size() : end + 2;
    }
    if (!rest.starts_with("//")) return at;
    while (at < text_.size() && text_[at] != '\n') at += splice(at) != 0 ? splice(at) : 1;
    return at;
  }

  void add(Kind kind, std::size_t end) {
    end = std::min(end, text_.size());
    lexemes_.push_back({kind, text_.substr(at_, end - at_), base_ + at_});
    at_ = end;
  }

  void directive() {
    auto end = at_;
    while (end < text_.size() && text_[end] != '\n') {
      if (const auto after = commentEnd(end); after != end) {
        // A comment of one line's end is none of the directive's.
        if (text_.substr(end).starts_with("//")) break;
        end = after;
      } else {
        end += splice(end) != 0 ? splice(end) : 1;
      }
    }
    add(Kind::directive, end);
    const auto said = readDirective(lexemes_.back());
    if (said.name == "if" && said.rest == "0") skipDisabled();
  }

  /// To the #else, #elif or #endif of an `#if 0`.
  void skipDisabled() {
    for (int depth = 0; at_ < text_.size();) {
      const auto lineEnd = std::min(text_.find('\n', at_), text_.size());
      const auto first = text_.find_first_not_of(" \t", at_);
      if (first < lineEnd && text_[first] == '#') {
        const Lexeme line{Kind::directive, text_.substr(first, lineEnd - first), first};
        const auto name = readDirective(line).name;
        if (depth == 0 && (name == "endif" || name.starts_with("el"))) return;
        if (name.starts_with("if")) ++depth;
        if (name == "endif") --depth;
      }
      at_ = std::min(lineEnd + 1, text_.size());
    }
  }

  void token() {
    const char c = text_[at_];
    if (isWordStart(c)) {
      auto end = at_ + 1;
      while (end < text_.size() && (isWordStart(text_[end]) || isDigit(text_[end]))) ++end;
      const auto word = text_.substr(at_, end - at_);
      if (end < text_.size() && text_[end] == '"' && word.ends_with('R') && word.size() <= 3)
        return rawString(end);
      add(Kind::word, end);
    } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
      auto end = at_ + 1;
      while (end < text_.size() && (isWordStart(text_[end]) || isDigit(text_[end]) || text_[end] == '.' ||
                                    text_[end] == '\'' || isExponentSign(end)))
        ++end;
      add(Kind::literal, end);
    } else if (c == '"' || c == '\'') {
      auto end = at_ + 1;
      while (end < text_.size() && text_[end] != c && text_[end] != '\n')
        end += text_[end] == '\\' ? std::max<std::size_t>(splice(end), 2) : 1;
      add(Kind::literal, end + (end < text_.size() && text_[end] == c ? 1 : 0));
    } else {
      const bool two = (c == ':' && peek(1) == ':') || (c == '-' && peek(1) == '>');
      add(Kind::punctuation, at_ + (two ? 2 : 1));
    }
  }

  [[nodiscard]] bool isExponentSign(std::size_t at) const {
    return (text_[at] == '+' || text_[at] == '-') && (text_[at - 1] == 'e' || text_[at - 1] == 'E') &&
           !text_.substr(at_).starts_with("0x");
  }

  void rawString(std::size_t quote) {
    const auto open = text_.find('(', quote);
    if (open == std::string_view::npos) return add(Kind::literal, text_.size());
    const std::string close = ")" + std::string{text_.substr(quote + 1, open - quote - 1)} + "\"";
    const auto found = text_.find(close, open);
    add(Kind::literal, found == std::string_view::npos ? text_.size() : found + close.size());
  }

  std::string_view text_;
  std::size_t base_, at_ = 0;
  std::vector<Lexeme> lexemes_;
};

bool opens(const Lexeme& l) {
  return l.is("(") || l.is("[") || l.is("{");
}
bool closes(const Lexeme& l) {
  return l.is(")") || l.is("]") || l.is("}");
}

}  // namespace

std::vector<Lexeme> lexCuda(std::string_view text, std::size_t base) {
  return Lexer(text, base).run();
}

Directive readDirective(const Lexeme& lexeme) {
  constexpr std::string_view blanks = " \t\r\\\n";
  auto rest = lexeme.text.substr(1);
  rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
  const auto nameEnd = std::min(rest.find_first_of(" \t\r\n\\<\"("), rest.size());
  Directive directive{rest.substr(0, nameEnd), rest.substr(nameEnd)};
  auto& tail = directive.rest;
  tail.remove_prefix(std::min(tail.find_first_not_of(blanks), tail.size()));
  while (!tail.empty() && blanks.find(tail.back()) != std::string_view::npos) tail.remove_suffix(1);
  return directive;
}

std::size_t closingBracket(Lexemes lexemes, std::size_t open) {
  int depth = 0;
  for (auto i = open; i < lexemes.size(); ++i) {
    if (opens(lexemes[i])) ++depth;
    if (closes(lexemes[i]) && --depth == 0) return i;
  }
  return lexemes.size();
}

std::size_t closingAngle(Lexemes lexemes, std::size_t open) {
  int depth = 0;
  for (auto i = open; i < lexemes.size(); ++i) {
    const auto& l = lexemes[i];
    if (opens(l)) {
      i = closingBracket(lexemes, i);
    } else if (l.is("<")) {
      ++depth;
    } else if (l.is(">")) {
      if (--depth == 0) return i;
    } else if (closes(l) || l.is(";")) {
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
    if (angle && closes(l)) {
      const auto open = openingOf(lexemes, i);
      if (open == lexemes.size()) break;
      i = open;
    } else if (angle ? l.is(">") : closes(l)) {
      ++depth;
    } else if (angle ? l.is("<") : opens(l)) {
      if (--depth == 0) return i;
    } else if (angle && (l.is(";") || opens(l))) {
      break;
    }
  }
  return lexemes.size();
}

}  // namespace wb
