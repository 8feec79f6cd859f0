// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/assembly/code_colors.h"

#include <algorithm>
#include <array>

#include "core/figures/code/opcodes.h"

namespace wb {
namespace {

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isWord(char c) {
  return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$';
}

/// R12, UR4, P0, UP1, RZ, URZ, PT, SR_TID.X, B0 of NVIDIA's machines.
bool isSassRegister(std::string_view word) {
  if (word.starts_with("SR_")) return true;
  std::string_view rest = word.substr(0, word.find('.'));
  if (rest.starts_with('U')) rest.remove_prefix(1);
  if (rest == "RZ" || rest == "PT") return true;
  if (rest.size() < 2 || (rest[0] != 'R' && rest[0] != 'P' && rest[0] != 'B')) return false;
  return std::all_of(rest.begin() + 1, rest.end(), isDigit);
}

bool isHostRegister(std::string_view word) {
  static constexpr std::array names{"al", "bl", "cl", "dl", "ax", "bx", "cx", "dx", "si", "di", "sp", "bp"};
  if (word.starts_with("xmm") || word.starts_with("ymm") || word.starts_with("zmm")) return true;
  if (word.size() >= 2 && word[0] == 'r' && isDigit(word[1])) return true;
  if (word.size() == 3 && (word[0] == 'r' || word[0] == 'e')) word.remove_prefix(1);
  return std::find(names.begin(), names.end(), word) != names.end() || word == "rip";
}

std::size_t commentIn(ListingKind kind, std::string_view row) {
  const std::size_t slashes = row.find("//");
  if (kind == ListingKind::llir) return std::min(slashes, row.find(';'));
  if (kind == ListingKind::host) return row.find("# ");
  return slashes;
}

CodeToken tokenOf(ListingKind kind, std::string_view word) {
  if (isDigit(word[0]) || ((word[0] == '-') && word.size() > 1)) return CodeToken::number;
  if (word[0] == '%') return CodeToken::reg;
  if (word[0] == '$' || word.starts_with(".L")) return CodeToken::label;
  if (kind == ListingKind::sass && isSassRegister(word)) return CodeToken::reg;
  if (kind == ListingKind::host && isHostRegister(word)) return CodeToken::reg;
  return CodeToken::plain;
}

}  // namespace

std::vector<CodePart> codeParts(ListingKind kind, std::string_view row) {
  std::vector<CodePart> parts;
  const auto add = [&](std::size_t start, std::size_t end, CodeToken token) {
    if (token != CodeToken::plain && end > start) parts.push_back({int(start), int(end - start), token});
  };
  const std::string_view opcode = opcodeIn(kind, row);
  const std::size_t opens = opcode.empty() ? row.size() : std::size_t(opcode.data() - row.data());
  const std::size_t comment = std::min(commentIn(kind, row), row.size());
  for (std::size_t i = 0; i < comment;) {
    if (i == opens) {
      add(i, i + opcode.size(), CodeToken::opcode);
      i += opcode.size();
      continue;
    }
    if (row[i] == '"') {
      const std::size_t end = std::min(row.find('"', i + 1), comment - 1) + 1;
      add(i, end, CodeToken::string);
      i = end;
      continue;
    }
    if (!isWord(row[i]) && row[i] != '%') {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    while (end < comment && isWord(row[end])) ++end;
    add(i, end, tokenOf(kind, row.substr(i, end - i)));
    i = end;
  }
  add(comment, row.size(), CodeToken::comment);
  return parts;
}

}  // namespace wb
