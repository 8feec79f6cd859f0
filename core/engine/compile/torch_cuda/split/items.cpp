// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/split/items.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/engine/compile/text/brackets.h"

namespace wb {
namespace {

using Kind = Lexeme::Kind;

/// Whether the parentheses after a word are not a function's parameters.
bool takesParentheses(std::string_view word) {
  constexpr std::array words{"__attribute__",
                             "__attribute",
                             "alignas",
                             "decltype",
                             "noexcept",
                             "requires",
                             "explicit",
                             "sizeof",
                             "__launch_bounds__",
                             "__align__",
                             "typeof",
                             "__declspec",
                             "static_assert",
                             "__cluster_dims__",
                             "__maxnreg__",
                             "C10_LAUNCH_BOUNDS_0",
                             "C10_LAUNCH_BOUNDS_1",
                             "C10_LAUNCH_BOUNDS_2",
                             "__block_size__"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

void addWord(const Lexeme& l, const QualifierMacros& macros, Qualifiers& q) {
  if (l.kind != Kind::word) return;
  if (l.text == "__global__") q.global = true;
  if (l.text == "__device__") q.device = true;
  if (l.text == "__host__") q.host = true;
  if (l.text == "__constant__" || l.text == "__shared__" || l.text == "__managed__") q.constant = true;
  if (l.text == "constexpr" || l.text == "consteval") q.isConstexpr = true;
  if (l.text == "const") q.isConst = true;
  if (l.text == "extern") q.isExtern = true;
  // These are torch's own macros of this kind.
  if (l.text == "C10_DEVICE" || l.text == "C10_HOST_DEVICE") q.device = true;
  if (l.text == "C10_HOST" || l.text == "C10_HOST_DEVICE") q.host = true;
  if (const auto found = macros.find(l.text); found != macros.end()) {
    q.global = q.global || found->second.global;
    q.device = q.device || found->second.device;
    q.host = q.host || found->second.host;
    q.constant = q.constant || found->second.constant;
    q.isConstexpr = q.isConstexpr || found->second.isConstexpr;
  }
}

class Reader {
 public:
  Reader(Lexemes lexemes, const QualifierMacros& macros) : lexemes_(lexemes), macros_(macros) {}

  std::vector<Item> scope(std::size_t begin, std::size_t end, bool inClass) {
    std::vector<Item> items;
    auto start = begin;
    const auto flush = [&](Item item, std::size_t next) {
      items.push_back(std::move(item));
      start = next;
      return next;
    };
    for (auto i = begin; i < end;) {
      const auto& l = lexemes_[i];
      if (l.kind == Kind::directive && i == start) {
        start = ++i;
      } else if (l.is("(") || l.is("[")) {
        i = closingBracket(lexemes_, i) + 1;
      } else if (l.is("template") && i + 1 < end && lexemes_[i + 1].is("<")) {
        i = closingAngle(lexemes_, i + 1) + 1;
      } else if (l.is("{")) {
        auto item = braces(start, i);
        i = item ? flush(*std::move(item), item->last + 1) : closingBracket(lexemes_, i) + 1;
      } else if (l.is(";")) {
        i = flush(declaration(start, i), i + 1);
      } else if (l.is(":") && inClass && i == start + 1) {  // public:
        start = ++i;
      } else if (l.is("}")) {
        start = ++i;  // there is one too many
      } else {
        ++i;
      }
    }
    // What is left is a macro call without a ';' at the end.
    if (start < end) items.push_back(declaration(start, end - 1));
    return items;
  }

 private:
  [[nodiscard]] Qualifiers qualifiers(std::size_t begin, std::size_t end) const {
    Qualifiers q;
    for (auto i = begin; i < end; ++i) {
      if (lexemes_[i].is("(") || lexemes_[i].is("["))
        i = closingBracket(lexemes_, i);
      else
        addWord(lexemes_[i], macros_, q);
      if (i >= end) break;
    }
    return q;
  }

  [[nodiscard]] Item declaration(std::size_t first, std::size_t last) const {
    Item item;
    item.first = first;
    item.last = last;
    item.qualifiers = qualifiers(afterTemplateHeads(lexemes_, first), last);
    // Of a declaration with a class or an initializer only the part before it counts.
    for (auto i = first; i < last; ++i)
      if (lexemes_[i].is("{") || lexemes_[i].is("=")) {
        item.qualifiers = qualifiers(afterTemplateHeads(lexemes_, first), i);
        break;
      }
    return item;
  }

  /// The item to which the '{' at `open` belongs; nothing for an initializer, after which the declaration
  /// goes on.
  std::optional<Item> braces(std::size_t first, std::size_t open) {
    const auto head = afterTemplateHeads(lexemes_, first);
    Item item;
    item.first = first;
    item.bodyOpen = open;
    item.bodyClose = std::min(closingBracket(lexemes_, open), lexemes_.size() - 1);
    item.last = item.bodyClose;
    if (isNamespace(head, open, item.scope) || isLinkage(head, open)) {
      item.kind = Item::Kind::scope;
      item.children = scope(open + 1, item.bodyClose, false);
      return item;
    }
    if (const auto keyword = classKeyword(head, open)) {
      item.kind = Item::Kind::type;
      item.scope = className(*keyword, open);
      if (!lexemes_[*keyword].is("enum")) item.children = scope(open + 1, item.bodyClose, true);
      item.last = endOfDeclaration(item.last);
      return item;
    }
    return function(first, head, open);
  }

  /// The ';' after a class and what is declared with it. That of a lambda among the initializers is another.
  [[nodiscard]] std::size_t endOfDeclaration(std::size_t bodyClose) const {
    auto i = bodyClose;
    while (i + 1 < lexemes_.size() && !lexemes_[i].is(";")) {
      if (closesBracket(lexemes_[i + 1])) return i;
      ++i;
      if (opensBracket(lexemes_[i])) i = std::min(closingBracket(lexemes_, i), lexemes_.size() - 1);
    }
    return i;
  }

  bool isNamespace(std::size_t head, std::size_t open, std::string& name) const {
    auto i = head;
    if (i < open && lexemes_[i].is("inline")) ++i;
    if (i >= open || !lexemes_[i].is("namespace")) return false;
    for (++i; i < open; ++i) {
      if (lexemes_[i].is("["))
        i = closingBracket(lexemes_, i);
      else if (lexemes_[i].kind == Kind::word && !lexemes_[i].is("inline"))
        name += lexemes_[i].spelling() + "::";
    }
    return true;
  }
  [[nodiscard]] bool isLinkage(std::size_t head, std::size_t open) const {
    return open == head + 2 && lexemes_[head].is("extern") && lexemes_[head + 1].kind == Kind::literal;
  }

  /// The keyword class, struct, union or enum of a definition, and not of a function's return type.
  [[nodiscard]] std::optional<std::size_t> classKeyword(std::size_t head, std::size_t open) const {
    std::optional<std::size_t> found;
    for (auto i = head; i < open; ++i) {
      const auto& l = lexemes_[i];
      if (l.is("(")) {
        if (i > head && !takesParentheses(lexemes_[i - 1].text) && lexemes_[i - 1].kind == Kind::word)
          return std::nullopt;
        i = closingBracket(lexemes_, i);
      } else if (l.is("<") && i > head) {
        i = closingAngle(lexemes_, i);
      } else if (l.is("=")) {
        return std::nullopt;
      } else if (!found && (l.is("class") || l.is("struct") || l.is("union") || l.is("enum"))) {
        found = i;
      }
    }
    return found;
  }

  [[nodiscard]] std::string className(std::size_t keyword, std::size_t open) const {
    std::string name;
    for (auto i = keyword + 1; i < open; ++i) {
      const auto& l = lexemes_[i];
      if (l.is("(") || l.is("["))
        i = closingBracket(lexemes_, i);
      else if (l.is(":") || l.is("<"))
        break;
      else if (l.kind == Kind::word && !l.is("class") && !l.is("struct") && !l.is("final") &&
               !takesParentheses(l.text))
        name = l.spelling();
    }
    return name;
  }

  std::optional<Item> function(std::size_t first, std::size_t head, std::size_t open) const {
    Item item;
    std::optional<std::size_t> parameters;
    bool initializers = false;
    for (auto i = head; i < open; ++i) {
      const auto& l = lexemes_[i];
      if (l.is("=") && !(i > head && isOperatorName(i))) return std::nullopt;
      if (l.is("<") && i > head && lexemes_[i - 1].kind == Kind::word && !isOperatorName(i)) {
        const auto close = closingAngle(lexemes_, i);
        if (close < open) i = close;
      } else if (l.is("(")) {
        const bool named = i > head && !initializers && isName(i - 1);
        const auto close = closingBracket(lexemes_, i);
        if (named && close < open) {
          parameters = i;
          item.parametersClose = close;
        }
        i = close;
      } else if (l.is("[")) {
        i = closingBracket(lexemes_, i);
      } else if (l.is(":") && parameters) {
        initializers = true;
      } else if (l.is("->")) {
        break;
      }
    }
    if (!parameters) return std::nullopt;
    // In `Box() : size_{1} {}` this brace belongs to a member.
    const auto& before = lexemes_[open - 1];
    if (initializers && (before.kind == Kind::word || before.is(">"))) return std::nullopt;
    item.kind = Item::Kind::function;
    item.first = first;
    item.bodyOpen = open;
    item.bodyClose = std::min(closingBracket(lexemes_, open), lexemes_.size() - 1);
    item.last = item.bodyClose;
    item.parametersOpen = *parameters;
    item.name = *parameters - 1;
    if (lexemes_[item.name].is(">"))
      if (const auto opening = openingOf(lexemes_, item.name); opening > head && opening < item.name)
        item.name = opening - 1;
    item.qualifiers = qualifiers(head, open);
    return item;
  }

  [[nodiscard]] bool isOperatorName(std::size_t at) const {
    for (auto i = at; i-- > 0 && at - i <= 3;)
      if (lexemes_[i].is("operator")) return true;
    return false;
  }
  /// Whether a function's name may end here.
  [[nodiscard]] bool isName(std::size_t at) const {
    const auto& l = lexemes_[at];
    return (l.kind == Kind::word && !takesParentheses(l.text)) || l.is(">") || isOperatorName(at + 1);
  }

  Lexemes lexemes_;
  const QualifierMacros& macros_;
};

}  // namespace

void collectQualifierMacro(const Lexeme& define, QualifierMacros& macros) {
  const auto rest = readDirective(define).rest;
  const auto parts = lexCuda(rest);
  if (parts.empty() || parts[0].kind != Kind::word) return;
  const bool takesArguments = parts.size() > 1 && parts[1].is("(") && parts[1].touches;
  if (takesArguments) return;
  Qualifiers q;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].is("{") || parts[i].is(";")) return;
    addWord(parts[i], macros, q);
  }
  if (q.global || q.device || q.host || q.constant || q.isConstexpr) macros[parts[0].spelling()] = q;
}

std::size_t afterTemplateHeads(Lexemes lexemes, std::size_t at) {
  while (at + 1 < lexemes.size() && lexemes[at].is("template") && lexemes[at + 1].is("<"))
    at = std::min(closingAngle(lexemes, at + 1) + 1, lexemes.size());
  return at;
}

std::vector<Item> readItems(Lexemes lexemes, const QualifierMacros& macros) {
  if (isNestedTooDeep(lexemes)) return {};
  return Reader(lexemes, macros).scope(0, lexemes.size(), false);
}

}  // namespace wb
