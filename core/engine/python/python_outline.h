// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wb {

/// What a Python source defines at its outermost level, found without running it.
struct PythonOutline {
  /// The functions whose `def` stands at the beginning of a line, in order; Triton's own are left out.
  std::vector<std::string> functions;
  std::vector<std::string> classes;
};
[[nodiscard]] PythonOutline outlineOf(std::string_view source);

/// The functions that may be the kernel, best first: …_kernel_impl, then the others from the last one on.
[[nodiscard]] std::vector<std::string> possiblePythonKernels(const PythonOutline& outline);

/// The names that a kernel for an operator may have, best first: for "aten::relu" relu__default_kernel_impl,
/// relu_kernel_impl, relu__default, relu (BackendBench's folder name comes first).
[[nodiscard]] std::vector<std::string> pythonKernelNames(std::string_view schemaName);

}  // namespace wb
