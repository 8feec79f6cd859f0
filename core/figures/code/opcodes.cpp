// SPDX-License-Identifier: Apache-2.0
#include "core/figures/code/opcodes.h"

#include <unordered_map>

#include "core/base/text.h"
#include "core/figures/code/opcodes_text.h"

namespace wb {
namespace {

using Words = std::unordered_map<std::string_view, std::string_view>;

Words wordsOf(std::string_view text) {
  Words words;
  for (const std::string_view line : splitLines(text))
    if (const std::size_t tab = line.find('\t'); tab != std::string_view::npos)
      words.emplace(line.substr(0, tab), line.substr(tab + 1));
  return words;
}

const Words* wordsFor(ListingKind kind) {
  static const Words sass = wordsOf(asset::opcodesSass), ptx = wordsOf(asset::opcodesPtx),
                     host = wordsOf(asset::opcodesHost);
  switch (kind) {
    case ListingKind::sass:
      return &sass;
    case ListingKind::ptx:
      return &ptx;
    case ListingKind::host:
      return &host;
    default:
      return nullptr;
  }
}

}  // namespace

std::string_view opcodeIn(ListingKind kind, std::string_view row) {
  std::string_view text = trimmed(row);
  if (kind == ListingKind::ttir || kind == ListingKind::ttgir || kind == ListingKind::llir)
    if (const std::size_t equals = text.find(" = "); text.starts_with('%') && equals != text.npos)
      text.remove_prefix(equals + 3);
  // A predicate: "@!P0 BRA", "@%p1 bra".
  if (text.starts_with('@')) {
    const std::size_t blank = text.find(' ');
    text = blank == std::string_view::npos ? "" : trimmed(text.substr(blank));
  }
  if (text.empty() || text[0] == '.' || text[0] == '$' || text[0] == '/' || text.ends_with(':')) return {};
  text = text.substr(0, text.find_first_of(" \t(;,\""));
  const bool letter =
      !text.empty() && ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
  return letter ? text : std::string_view();
}

std::string opcodeHelp(ListingKind kind, std::string_view opcode) {
  const Words* words = wordsFor(kind);
  if (words == nullptr) return {};
  std::string_view base = opcode.substr(0, opcode.find('.'));
  auto found = words->find(base);
  // AVX has the same operations under a "v".
  const bool avx = found == words->end() && kind == ListingKind::host && base.starts_with('v');
  if (avx) found = words->find(base.substr(1));
  if (found == words->end()) return {};
  return std::string(base) + ": " + std::string(found->second) + (avx ? " (AVX)" : "");
}

}  // namespace wb
