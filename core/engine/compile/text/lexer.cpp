// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/text/lexer.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/engine/compile/text/brackets.h"

namespace wb {
namespace {

using Kind = Lexeme::Kind;

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool startsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool isWordCharacter(char c) {
  return startsWord(c) || isDigit(c);
}

/// The length of a backslash and the line's end after it, as GCC and clang read it: blanks may stand between
/// them. 0 where there is none.
std::size_t spliceLength(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] != '\\') return 0;
  std::size_t end = at + 1;
  while (end < text.size() && isBlank(text[end])) ++end;
  return end < text.size() && text[end] == '\n' ? end + 1 - at : 0;
}

/// The first place at or after `at` where no splice begins.
std::size_t pastSplices(std::string_view text, std::size_t at) {
  while (const std::size_t length = spliceLength(text, at)) at += length;
  return at;
}

/// The character at a place, with splices passed over; a zero byte at the end.
char characterAt(std::string_view text, std::size_t at) {
  at = pastSplices(text, at);
  return at < text.size() ? text[at] : '\0';
}

std::size_t lineCommentEnd(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] != '\n') at += std::max<std::size_t>(spliceLength(text, at), 1);
  return at;
}

std::size_t blockCommentEnd(std::string_view text, std::size_t at) {
  for (at = text.find('*', at); at < text.size(); at = text.find('*', at + 1))
    if (characterAt(text, at + 1) == '/') return pastSplices(text, at + 1) + 1;
  return text.size();
}

/// The end of the word that begins at `at`.
std::size_t wordEnd(std::string_view text, std::size_t at) {
  std::size_t end = at;
  for (;;) {
    const std::size_t next = pastSplices(text, end);
    if (next >= text.size() || !isWordCharacter(text[next])) return end;
    end = next + 1;
  }
}

/// The end of the number that begins at `at`, by the grammar of pp-number: digits, letters, points,
/// separators and the signs of exponents.
std::size_t numberEnd(std::string_view text, std::size_t at) {
  char before = text[at];
  std::size_t end = at + 1;
  for (;;) {
    const std::size_t next = pastSplices(text, end);
    if (next >= text.size()) return end;
    const char c = text[next];
    const bool exponent = before == 'e' || before == 'E' || before == 'p' || before == 'P';
    const bool separator = c == '\'' && isWordCharacter(characterAt(text, next + 1));
    if (!isWordCharacter(c) && c != '.' && !separator && !(exponent && (c == '+' || c == '-'))) return end;
    before = c;
    end = next + 1;
  }
}

/// The end of the string or character that begins with the quote at `at`, its suffix included. It ends with
/// its line at the latest.
std::size_t quotedEnd(std::string_view text, std::size_t at) {
  const char quote = text[at];
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != quote) {
    if (text[end] == '\n') return end;
    const std::size_t splice = spliceLength(text, end);
    // A backslash is followed by what it escapes, which may stand after a splice.
    end = splice != 0         ? end + splice
          : text[end] != '\\' ? end + 1
                              : std::min(pastSplices(text, end + 1) + 1, text.size());
  }
  if (end >= text.size()) return text.size();
  return startsWord(characterAt(text, end + 1)) ? wordEnd(text, end + 1) : end + 1;
}

/// The end of the raw string whose quote stands at `at`; nothing when no delimiter follows.
std::optional<std::size_t> rawEnd(std::string_view text, std::size_t at) {
  constexpr std::size_t longestDelimiter = 16;
  const std::string_view delimiter = text.substr(at + 1, text.find('(', at + 1) - at - 1);
  if (delimiter.size() > longestDelimiter || at + 1 + delimiter.size() >= text.size() ||
      delimiter.find_first_of(" )\\\t\v\f\r\n\"") != std::string_view::npos)
    return std::nullopt;
  const std::string closing = ")" + std::string(delimiter) + "\"";
  const std::size_t found = text.find(closing, at + 1 + delimiter.size());
  if (found == std::string_view::npos) return text.size();
  const std::size_t end = found + closing.size();
  return startsWord(characterAt(text, end)) ? wordEnd(text, end) : end;
}

/// The end of the literal that begins at `at`, its prefix included; `at` where none begins.
std::size_t literalEnd(std::string_view text, std::size_t at) {
  constexpr std::array<std::string_view, 5> raw{"R", "LR", "uR", "UR", "u8R"};
  constexpr std::array<std::string_view, 4> plain{"L", "u", "U", "u8"};
  const auto among = [](const auto& all, std::string_view word) {
    return std::find(all.begin(), all.end(), word) != all.end();
  };
  const char c = text[at];
  if (isDigit(c) || (c == '.' && isDigit(characterAt(text, at + 1)))) return numberEnd(text, at);
  if (c == '"' || c == '\'') return quotedEnd(text, at);
  if (!startsWord(c)) return at;
  const std::size_t quote = wordEnd(text, at);
  const std::string_view prefix = text.substr(at, quote - at);
  if (quote >= text.size() || (text[quote] != '"' && text[quote] != '\'')) return at;
  if (text[quote] == '"' && among(raw, prefix)) return rawEnd(text, quote).value_or(quotedEnd(text, quote));
  return among(plain, prefix) ? quotedEnd(text, quote) : at;
}

/// The place after the blanks, splices and /* comments */ that stand at `at`.
std::size_t pastSpace(std::string_view text, std::size_t at) {
  for (;;) {
    const std::size_t begin = at;
    at = pastSplices(text, at);
    while (at < text.size() && isBlank(text[at])) ++at;
    if (at < text.size() && text[at] == '/' && characterAt(text, at + 1) == '*') at = commentEnd(text, at);
    if (at == begin) return at;
  }
}

/// What is known of a condition: `0`, `(0)` and `false` are never compiled, `1`, `(1)` and `true` always are;
/// nothing is known of others.
std::optional<bool> knownCondition(std::string_view condition) {
  if (condition.find('#') != std::string_view::npos) return std::nullopt;
  const std::vector<Lexeme> all = lexCuda(condition);
  Lexemes lexemes = all;
  while (lexemes.size() > 2 && lexemes.front().is("(") && lexemes.back().is(")"))
    lexemes = lexemes.subspan(1, lexemes.size() - 2);
  if (lexemes.size() != 1) return std::nullopt;
  if (lexemes[0].text == "0" || lexemes[0].text == "false") return false;
  if (lexemes[0].text == "1" || lexemes[0].text == "true") return true;
  return std::nullopt;
}

/// Knows what the conditions of the lines read so far leave to be compiled.
class Conditions {
 public:
  [[nodiscard]] bool active() const { return active_; }

  void take(const Directive& line) {
    if (line.name.starts_with("if")) {
      open_.push_back({active_, false});
      if (line.name == "if") decide(knownCondition(line.rest));
    } else if (line.name.starts_with("el") && !open_.empty()) {
      active_ = open_.back().around && !open_.back().settled;
      if (line.name == "elif") decide(knownCondition(line.rest));
    } else if (line.name == "endif" && !open_.empty()) {
      active_ = open_.back().around;
      open_.pop_back();
    }
  }
  /// Whether the line belongs to a condition that stands in code which may be compiled.
  [[nodiscard]] bool keeps(const Directive& line) const {
    const bool of = line.name.starts_with("el") || line.name == "endif";
    return of && !open_.empty() ? open_.back().around : active_;
  }

 private:
  struct Open {
    /// The code around the condition is active.
    bool around;
    /// A group of it is certainly compiled, so the later ones are not.
    bool settled;
  };
  void decide(std::optional<bool> known) {
    if (!known) return;
    open_.back().settled = open_.back().settled || *known;
    active_ = active_ && *known;
  }

  std::vector<Open> open_;
  bool active_ = true;
};

class Lexer {
 public:
  Lexer(std::string_view text, std::size_t base) : text_(text), base_(base) {
    if (text_.starts_with(byteOrderMark)) at_ = byteOrderMark.size();
  }

  std::vector<Lexeme> run() {
    bool lineBegins = true;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n' || isBlank(c)) {
        lineBegins = lineBegins || c == '\n';
        touches_ = false;
        ++at_;
      } else if (const std::size_t splice = spliceLength(text_, at_)) {
        at_ += splice;
      } else if (const std::size_t comment = commentEnd(text_, at_); comment != at_) {
        touches_ = false;
        at_ = comment;
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
  void add(Kind kind, std::size_t end) {
    const std::string_view text = text_.substr(at_, end - at_);
    const bool spliced = kind != Kind::literal && text.find('\n') != std::string_view::npos;
    if (conditions_.active()) lexemes_.push_back({kind, text, base_ + at_, 0, touches_, spliced});
    at_ = end;
    touches_ = true;
  }

  void token() {
    const char c = text_[at_];
    if (const std::size_t end = literalEnd(text_, at_); end != at_) return add(Kind::literal, end);
    if (startsWord(c)) return add(Kind::word, wordEnd(text_, at_));
    const char next = characterAt(text_, at_ + 1);
    const bool two = (c == ':' && next == ':') || (c == '-' && next == '>');
    add(Kind::punctuation, two ? pastSplices(text_, at_ + 1) + 1 : at_ + 1);
  }

  void directive() {
    const std::size_t end = directiveEnd();
    const Lexeme line{Kind::directive, text_.substr(at_, end - at_), base_ + at_};
    const Directive said = readDirective(line);
    if (conditions_.keeps(said)) lexemes_.push_back(line);
    conditions_.take(said);
    at_ = end;
  }

  /// The end of the logical line. A `//` comment at its end does not belong to the directive.
  [[nodiscard]] std::size_t directiveEnd() const {
    std::size_t end = pastSpace(text_, at_ + 1);
    const std::size_t name = end;
    end = wordEnd(text_, end);
    if (text_.substr(name, end - name).starts_with("include")) {
      end = pastSpace(text_, end);
      // The name of a header is not code: `<vendor//odd.h>`.
      if (end < text_.size() && text_[end] == '<')
        end = std::min(text_.find_first_of(">\n", end), text_.size());
    }
    while (end < text_.size() && text_[end] != '\n') {
      if (text_[end] == '/' && characterAt(text_, end + 1) == '/') break;
      if (const std::size_t comment = commentEnd(text_, end); comment != end)
        end = comment;
      else if (const std::size_t literal = literalEnd(text_, end); literal != end)
        end = literal;
      else if (startsWord(text_[end]))
        end = wordEnd(text_, end);
      else
        end += std::max<std::size_t>(spliceLength(text_, end), 1);
    }
    return end;
  }

  std::string_view text_;
  std::size_t base_, at_ = 0;
  bool touches_ = false;
  Conditions conditions_;
  std::vector<Lexeme> lexemes_;
};

}  // namespace

std::string Lexeme::spelling() const {
  std::string out;
  for (std::size_t at = pastSplices(text, 0); at < text.size(); at = pastSplices(text, at + 1))
    out += text[at];
  return out;
}

std::vector<Lexeme> lexCuda(std::string_view text, std::size_t base) {
  auto lexemes = Lexer(text, base).run();
  pairBrackets(lexemes);
  return lexemes;
}

std::vector<Lexeme> lexCode(std::string_view text) {
  auto lexemes = Lexer(text, 0).run();
  std::erase_if(lexemes, [](const Lexeme& lexeme) { return lexeme.kind == Kind::directive; });
  pairBrackets(lexemes);
  return lexemes;
}

std::size_t commentEnd(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] != '/') return at;
  const char next = characterAt(text, at + 1);
  if (next == '/') return lineCommentEnd(text, at);
  return next == '*' ? blockCommentEnd(text, pastSplices(text, at + 1) + 1) : at;
}

Directive readDirective(const Lexeme& lexeme) {
  const std::string_view line = lexeme.text;
  const std::size_t name = pastSpace(line, 1);
  const std::size_t nameEnd = wordEnd(line, name);
  Directive directive{line.substr(name, nameEnd - name), line.substr(pastSpace(line, nameEnd))};
  const std::size_t last = directive.rest.find_last_not_of(" \t\r\f\v\n\\");
  directive.rest = directive.rest.substr(0, last == std::string_view::npos ? 0 : last + 1);
  return directive;
}

}  // namespace wb
