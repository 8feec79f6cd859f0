// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/compile/text/lexer.h"

namespace wb {

/// Where a function or variable lives, by its qualifiers.
struct Qualifiers {
  bool global = false, device = false, host = false;
  bool constant = false;  ///< __constant__, __shared__ or __managed__: a variable of the device
  bool isConstexpr = false, isConst = false, isExtern = false;
};
/// Macros that stand for qualifiers (`#define DEVICE __device__ __forceinline__`), collected in the order of
/// the text.
using QualifierMacros = std::map<std::string, Qualifiers, std::less<>>;
void collectQualifierMacro(const Lexeme& define, QualifierMacros& macros);

/// A declaration of a namespace or class. Members are indices of lexemes.
struct Item {
  enum class Kind { scope, function, type, declaration };
  Kind kind = Kind::declaration;
  std::size_t first = 0, last = 0;          ///< of all, the closing '}' or ';' included
  std::size_t bodyOpen = 0, bodyClose = 0;  ///< '{' and '}' of a scope, function or class; equal: none
  Qualifiers qualifiers;
  // Of functions:
  std::size_t name = 0, parametersOpen = 0, parametersClose = 0;
  // Of scopes and types:
  std::string scope;           ///< "ns::" of a named namespace or class, "" of an unnamed one
  std::vector<Item> children;  ///< of namespaces, extern "C" and classes
};

/// Reads the declarations of a file. Never fails: what it cannot read is one declaration more. Of what is
/// nested deeper than compilers take it reads nothing.
[[nodiscard]] std::vector<Item> readItems(Lexemes lexemes, const QualifierMacros& macros);

/// Index after `template <…>`, `requires` clauses not looked at; `at` where there is none.
[[nodiscard]] std::size_t afterTemplateHeads(Lexemes lexemes, std::size_t at);

}  // namespace wb
