// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/text/source_tokens.h"

#include <algorithm>
#include <string>
#include <utility>

namespace wb {
namespace {

bool isWordStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view source) : source_(source) {
    if (source_.starts_with("\xEF\xBB\xBF")) at_ = lineStart_ = 3;
  }

  std::vector<SourceToken> run() {
    bool lineBegins = true;
    while (at_ < source_.size()) {
      const char c = source_[at_];
      if (c == '\n') {
        newLine();
        lineBegins = true;
      } else if (isBlank(c)) {
        ++at_;
      } else if (c == '\\' && peek(1) == '\n') {
        ++at_;
        newLine();
      } else if (c == '/' && (peek(1) == '/' || peek(1) == '*')) {
        skipComment();
      } else if (c == '#' && lineBegins) {
        directive();
      } else {
        lineBegins = false;
        token();
      }
    }
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t n) const { return at_ + n < source_.size() ? source_[at_ + n] : '\0'; }

  void newLine() {
    ++at_;
    ++line_;
    lineStart_ = at_;
  }
  /// To `end`, counting lines.
  void advanceTo(std::size_t end) {
    end = std::min(end, source_.size());
    while (at_ < end) {
      if (source_[at_] == '\n') {
        newLine();
      } else {
        ++at_;
      }
    }
  }

  void skipComment() {
    if (peek(1) == '*') {
      const auto end = source_.find("*/", at_ + 2);
      advanceTo(end == std::string_view::npos ? source_.size() : end + 2);
      return;
    }
    while (at_ < source_.size() && source_[at_] != '\n') {
      if (source_[at_] == '\\' && peek(1) == '\n') {
        ++at_;
        newLine();
      } else {
        ++at_;
      }
    }
  }

  /// Reads a logical line; its text without comments is not needed, only its first words.
  std::string_view logicalLine() {
    const auto start = at_;
    while (at_ < source_.size() && source_[at_] != '\n') {
      if (source_[at_] == '/' && (peek(1) == '*' || peek(1) == '/')) {
        skipComment();
      } else if (source_[at_] == '\\' && peek(1) == '\n') {
        ++at_;
        newLine();
      } else {
        ++at_;
      }
    }
    return source_.substr(start, at_ - start);
  }

  static std::string words(std::string_view line, std::size_t count) {
    std::string out;
    for (const char c : line.substr(1)) {
      if (isBlank(c)) {
        if (!out.empty() && out.back() != ' ') {
          if (--count == 0) break;
          out += ' ';
        }
      } else {
        out += c;
      }
    }
    while (out.ends_with(' ')) out.pop_back();
    return out;
  }

  void directive() {
    if (words(logicalLine(), 2) != "if 0") return;
    for (int depth = 1; at_ < source_.size();) {
      if (source_[at_] == '\n') newLine();
      while (at_ < source_.size() && isBlank(source_[at_])) ++at_;
      if (at_ >= source_.size()) return;
      if (source_[at_] != '#') {
        while (at_ < source_.size() && source_[at_] != '\n') ++at_;
        continue;
      }
      const std::string word = words(logicalLine(), 1);
      if (word.starts_with("if")) ++depth;
      if (word.starts_with("endif") && --depth == 0) return;
      if (depth == 1 && word.starts_with("el")) return;
    }
  }

  void add(SourceToken::Kind kind, std::size_t length) {
    tokens_.push_back({kind, source_.substr(at_, length), line_, static_cast<int>(at_ - lineStart_) + 1});
  }

  void token() {
    const char c = source_[at_];
    if (isWordStart(c)) {
      std::size_t n = 1;
      while (isWordStart(peek(n)) || isDigit(peek(n))) ++n;
      const auto word = source_.substr(at_, n);
      if (peek(n) == '"' && word.ends_with('R') && word.size() <= 3) return rawString(n);
      add(SourceToken::Kind::word, n);
      at_ += n;
    } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
      std::size_t n = 1;
      while (isWordStart(peek(n)) || isDigit(peek(n)) || peek(n) == '.' || peek(n) == '\'') ++n;
      add(SourceToken::Kind::literal, n);
      at_ += n;
    } else if (c == '"' || c == '\'') {
      quoted(c);
    } else {
      const std::size_t n = (c == ':' && peek(1) == ':') || (c == '-' && peek(1) == '>') ? 2 : 1;
      add(SourceToken::Kind::punctuation, n);
      at_ += n;
    }
  }

  void quoted(char quote) {
    std::size_t end = at_ + 1;
    while (end < source_.size() && source_[end] != quote && source_[end] != '\n')
      end += source_[end] == '\\' ? 2 : 1;
    end = std::min(end, source_.size());
    if (end < source_.size() && source_[end] == quote) ++end;
    add(SourceToken::Kind::literal, end - at_);
    advanceTo(end);
  }

  void rawString(std::size_t prefix) {
    const auto open = source_.find('(', at_ + prefix);
    if (open == std::string_view::npos) return advanceTo(source_.size());
    const std::string close =
        ")" + std::string{source_.substr(at_ + prefix + 1, open - at_ - prefix - 1)} + "\"";
    const auto found = source_.find(close, open);
    const auto end = found == std::string_view::npos ? source_.size() : found + close.size();
    add(SourceToken::Kind::literal, end - at_);
    advanceTo(end);
  }

  std::string_view source_;
  std::size_t at_ = 0, lineStart_ = 0;
  int line_ = 1;
  std::vector<SourceToken> tokens_;
};

}  // namespace

std::vector<SourceToken> tokenizeSource(std::string_view source) {
  return Tokenizer(source).run();
}

}  // namespace wb
