// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/split/declared_name.h"

#include "core/engine/compile/text/brackets.h"

namespace wb {

std::string declaredName(Lexemes lexemes, const Item& declaration) {
  std::string name;
  for (auto i = afterTemplateHeads(lexemes, declaration.first); i < declaration.last; ++i) {
    const auto& l = lexemes[i];
    if (l.is("=") || l.is("(") || l.is("{") || l.is("[")) break;
    if (l.is("<")) {
      const auto close = closingAngle(lexemes, i);
      if (close < declaration.last) i = close;
    } else if (l.kind == Lexeme::Kind::word) {
      name = l.spelling();
    }
  }
  return name;
}

bool startsWith(Lexemes lexemes, std::size_t at, std::initializer_list<std::string_view> words) {
  for (const auto word : words)
    if (at >= lexemes.size() || !lexemes[at++].is(word)) return false;
  return true;
}

bool isMember(Lexemes lexemes, std::size_t at) {
  return at > 0 && (lexemes[at - 1].is(".") || lexemes[at - 1].is("->"));
}

}  // namespace wb
