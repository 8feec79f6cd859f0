// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

/// A name in a Python source with what is joined to it by dots: "torch.cuda.Stream".
struct PythonName {
  std::string text;
  /// Its place in bytes from the text's beginning.
  std::size_t offset = 0;
  /// An argument list follows it.
  bool isCalled = false;
  /// It stands left of a plain "=", outside of brackets.
  bool isAssigned = false;
  /// It is the name of a module that is imported.
  bool isImported = false;
};

/// The names of a source in order. Keywords count as names; comments and strings are passed over, also those
/// with expressions in them. Never fails.
[[nodiscard]] std::vector<PythonName> namesInPython(std::string_view text);

}  // namespace wb
