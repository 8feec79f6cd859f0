// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/text/cuda_tokens.h"

#include <algorithm>

namespace wb {
namespace {

bool wordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::size_t endOfQuoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

/// R"delimiter( … )delimiter"; `at` is the quote.
std::size_t endOfRaw(std::string_view text, std::size_t at) {
  const std::size_t open = text.find('(', at);
  if (open == std::string_view::npos) return text.size();
  std::string closing = ")";
  closing += text.substr(at + 1, open - at - 1);
  closing += '"';
  const std::size_t end = text.find(closing, open);
  return end == std::string_view::npos ? text.size() : end + closing.size();
}

std::size_t endOfLine(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] != '\n') {
    if (text[at] == '\\') at += text.substr(at + 1, 2) == "\r\n" ? 2 : 1;
    if (at < text.size() && text.substr(at, 2) == "/*") return at;  // a comment may go on over the line's end
    if (at < text.size()) ++at;
  }
  return std::min(at, text.size());
}

}  // namespace

std::size_t skipped(std::string_view text, std::size_t at, bool lineStart) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) {
    const std::size_t end = text.find('\n', at);
    return end == std::string_view::npos ? text.size() : end;
  }
  if (rest.starts_with("/*")) {
    const std::size_t end = text.find("*/", at + 2);
    return end == std::string_view::npos ? text.size() : end + 2;
  }
  if (rest.starts_with("\"")) {
    const bool raw = at > 0 && text[at - 1] == 'R' && (at < 2 || !wordCharacter(text[at - 2]));
    return raw ? endOfRaw(text, at) : endOfQuoted(text, at);
  }
  if (rest.starts_with("'") && (at == 0 || !wordCharacter(text[at - 1])))
    return endOfQuoted(text, at);  // not 1'000
  if (rest.starts_with("#") && lineStart) return endOfLine(text, at);
  return at;
}

std::vector<CudaToken> cudaTokens(std::string_view text, bool& includesFiles) {
  std::vector<CudaToken> tokens;
  bool lineStart = true;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (const std::size_t end = skipped(text, at, lineStart); end != at) {
      const std::string_view part = text.substr(at, end - at);
      if (c == '#' && part.find("include") != std::string_view::npos &&
          part.find('"') != std::string_view::npos)
        includesFiles = true;
      at = end;
      continue;
    }
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      lineStart = lineStart || c == '\n';
      ++at;
      continue;
    }
    lineStart = false;
    std::size_t end = at + 1;
    if (wordCharacter(c))
      while (end < text.size() &&
             (wordCharacter(text[end]) || (text[end] == '\'' && end + 1 < text.size() &&
                                           std::isdigit(static_cast<unsigned char>(c)) != 0)))
        ++end;
    tokens.push_back({std::string(text.substr(at, end - at)), at});
    at = end;
  }
  return tokens;
}

LineIndex::LineIndex(std::string_view text) : starts_{0} {
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text[at] == '\n') starts_.push_back(at + 1);
}

Place LineIndex::place(std::size_t offset, const std::string& file) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const std::size_t start = *(after - 1);
  return {file, static_cast<int>(after - starts_.begin()), static_cast<int>(offset - start) + 1};
}

}  // namespace wb
