// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wb {

struct ParameterText {
  /// The tokens as written, with one blank between words: "const at::Tensor & self".
  std::string text;
  int line = 0, column = 0;
};

/// A function that is defined, and not only declared, at namespace scope of a C++ source.
struct FunctionDefinition {
  std::string name;
  /// The qualified name, "::mine::relu"; unnamed namespaces leave no trace.
  std::string qualified;
  int line = 0, column = 0;
  /// It is static, or in an unnamed namespace.
  bool internal = false;
  /// It cannot be called by its name alone.
  bool isTemplate = false;
  std::vector<ParameterText> parameters;
};

/// Finds function definitions without a compiler: comments, literals, preprocessor lines and `#if 0` are
/// skipped, macros are not expanded. This is good enough to find a kernel by its name; the compiler decides
/// in the end. Never fails: it passes over what it cannot read, and finds nothing in code that is nested
/// deeper than compilers take.
[[nodiscard]] std::vector<FunctionDefinition> scanFunctions(std::string_view source);

/// Whether the source's code (not its comments or strings) has these identifiers in a row, joined by "::":
/// "torch::nn".
[[nodiscard]] bool mentions(std::string_view source, std::string_view qualifiedName);

}  // namespace wb
