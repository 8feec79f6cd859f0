// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/split/launches.h"

#include <optional>

#include "core/engine/compile/text/brackets.h"

namespace wb {
namespace {

using Kind = Lexeme::Kind;

/// Whether there are three of this character with nothing between them.
bool isTriple(Lexemes lexemes, std::size_t at, std::string_view character) {
  return at + 2 < lexemes.size() && lexemes[at].is(character) && lexemes[at + 1].is(character) &&
         lexemes[at + 2].is(character) && lexemes[at + 1].touches && lexemes[at + 2].touches;
}

/// The last ">>>" of a run of '>' at this depth that an argument list follows.
std::optional<std::size_t> closeOf(Lexemes lexemes, std::size_t open) {
  for (auto i = open + 3; i < lexemes.size(); ++i) {
    const auto& l = lexemes[i];
    if (l.is("(") || l.is("[") || l.is("{")) {
      i = closingBracket(lexemes, i);
    } else if (l.is(")") || l.is("]") || l.is("}") || l.is(";")) {
      return std::nullopt;
    } else if (isTriple(lexemes, i, ">") && i + 3 < lexemes.size() && lexemes[i + 3].is("(")) {
      return i;
    }
  }
  return std::nullopt;
}

/// The first lexeme of the expression that ends before `end`: `ns::kernel<T>`, `kernels[i]`, `(*f)`,
/// `name##_kernel`.
std::size_t expressionStart(Lexemes lexemes, std::size_t end) {
  auto at = end;
  const auto skipGroup = [&] {
    const auto open = openingOf(lexemes, at - 1);
    if (open >= lexemes.size()) return false;
    at = open;
    return true;
  };
  while (at > 0) {
    while (at > 0 && (lexemes[at - 1].is("]") || lexemes[at - 1].is(")") || lexemes[at - 1].is(">"))) {
      const bool parenthesis = lexemes[at - 1].is(")");
      if (!skipGroup()) return end;
      if (parenthesis && (at == 0 || lexemes[at - 1].kind != Kind::word)) return at;
    }
    if (at == 0 || lexemes[at - 1].kind != Kind::word) return at;
    --at;
    if (at > 0 && lexemes[at - 1].is("template")) --at;
    if (at > 1 && lexemes[at - 1].is("#") && lexemes[at - 2].is("#")) {
      at -= 2;
    } else if (at > 0 && (lexemes[at - 1].is("::") || lexemes[at - 1].is(".") || lexemes[at - 1].is("->"))) {
      --at;
      const bool more = at > 0 && (lexemes[at - 1].kind == Kind::word || lexemes[at - 1].is(">") ||
                                   lexemes[at - 1].is("]") || lexemes[at - 1].is(")"));
      // In `return ::kernel<<<…>>>` the keyword is not a namespace.
      if (!more || lexemes[at - 1].is("return") || lexemes[at - 1].is("else") || lexemes[at - 1].is("do"))
        return at;
    } else {
      return at;
    }
  }
  return at;
}

/// Whether the three also stand side by side in the source, without a line's end between them.
bool isPlain(Lexemes lexemes, std::size_t triple) {
  return lexemes[triple + 2].end() == lexemes[triple].offset + 3;
}

std::optional<LaunchSite> launchAt(Lexemes lexemes, std::size_t open) {
  const auto close = closeOf(lexemes, open);
  if (!close || !isPlain(lexemes, open) || !isPlain(lexemes, *close)) return std::nullopt;
  LaunchSite launch{expressionStart(lexemes, open), open, *close, *close + 3, 0};
  launch.argumentsClose = closingBracket(lexemes, launch.argumentsOpen);
  if (launch.kernel == open || launch.argumentsClose >= lexemes.size()) return std::nullopt;
  return launch;
}

}  // namespace

Launches findLaunches(Lexemes lexemes) {
  Launches found;
  for (std::size_t i = 0; i < lexemes.size(); ++i) {
    if (!isTriple(lexemes, i, "<")) continue;
    const auto launch = launchAt(lexemes, i);
    // A launch may stand in another's arguments (in a lambda), but not in its configuration or in place of
    // its kernel.
    found.broken = !launch || (!found.sites.empty() && launch->kernel <= found.sites.back().argumentsOpen);
    if (found.broken) return found;
    found.sites.push_back(*launch);
    i += 2;
  }
  return found;
}

}  // namespace wb
