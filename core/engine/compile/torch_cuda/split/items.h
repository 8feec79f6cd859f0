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
  /// It is __constant__, __shared__ or __managed__, which is a variable of the device.
  bool constant = false;
  bool isConstexpr = false, isConst = false, isExtern = false;
};
/// Macros that stand for qualifiers (`#define DEVICE __device__ __forceinline__`), collected in the order of
/// the text.
using QualifierMacros = std::map<std::string, Qualifiers, std::less<>>;
void collectQualifierMacro(const Lexeme& define, QualifierMacros& macros);

/// A declaration in a namespace or class. Members are indices of lexemes.
struct Item {
  enum class Kind { scope, function, type, declaration };
  Kind kind = Kind::declaration;
  /// The first and last lexeme, with the closing '}' or ';'.
  std::size_t first = 0, last = 0;
  /// The '{' and '}' of a scope, function or class; equal when there are none.
  std::size_t bodyOpen = 0, bodyClose = 0;
  Qualifiers qualifiers;
  // For functions:
  std::size_t name = 0, parametersOpen = 0, parametersClose = 0;
  // For scopes and types:
  /// "ns::" for a named namespace or class, "" for an unnamed one.
  std::string scope;
  /// The declarations in a namespace, extern "C" or class.
  std::vector<Item> children;
};

/// Reads the declarations of a file. Never fails: what it cannot read becomes one more declaration. It reads
/// nothing in code that is nested deeper than compilers take.
[[nodiscard]] std::vector<Item> readItems(Lexemes lexemes, const QualifierMacros& macros);

/// The index after `template <…>`, without a look at `requires` clauses; `at` where there is none.
[[nodiscard]] std::size_t afterTemplateHeads(Lexemes lexemes, std::size_t at);

}  // namespace wb
