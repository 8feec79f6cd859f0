// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wb {

struct ParameterText {
  std::string text;  ///< tokens as written, one blank between words: "const at::Tensor & self"
  int line = 0, column = 0;
};

/// A function defined (not only declared) at namespace scope of a C++ source.
struct FunctionDefinition {
  std::string name;
  std::string qualified;  ///< "::mine::relu"; unnamed namespaces leave no trace
  int line = 0, column = 0;
  bool internal = false;    ///< static, or in an unnamed namespace
  bool isTemplate = false;  ///< cannot be called by its name alone
  std::vector<ParameterText> parameters;
};

/// Finds function definitions without a compiler: comments, literals, preprocessor lines and `#if 0` are
/// skipped, macros are not expanded. Good enough to find a kernel by its name; the compiler has the last
/// word. Never fails: what it cannot read it passes over, and finds nothing in what is nested deeper than
/// compilers take.
[[nodiscard]] std::vector<FunctionDefinition> scanFunctions(std::string_view source);

/// True when the source's code (not its comments or strings) has these identifiers in a row, joined by "::":
/// "torch::nn".
[[nodiscard]] bool mentions(std::string_view source, std::string_view qualifiedName);

}  // namespace wb
