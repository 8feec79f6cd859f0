// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

#include <string>

namespace wb {

/// Looks up a function of a library that was opened at run time. `missing` gets the name of the first one
/// that is not there.
template <class Function>
void findFunction(void* library, const char* symbol, Function& function, std::string& missing) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  if (function == nullptr && missing.empty()) missing = symbol;
}

}  // namespace wb

/// A table of functions is a list of rows, ROW(member, symbol), which names each function once. These are the
/// two ways to read a row: as the table's member, and as the look-up that fills it from `library` and notes
/// in `missing`. A header may rename a function by a macro (cuMemAlloc is cuMemAlloc_v2): the symbol is
/// expanded before it is quoted.
#define WB_FUNCTION_MEMBER(member, symbol) \
  decltype(&::symbol) member = nullptr;  // NOLINT(bugprone-macro-parentheses): it declares the member
#define WB_FUNCTION_LOOKUP(member, symbol) \
  ::wb::findFunction(library, WB_QUOTED(symbol), table.member, missing);
#define WB_QUOTED(symbol) WB_QUOTED_NOW(symbol)
#define WB_QUOTED_NOW(symbol) #symbol
