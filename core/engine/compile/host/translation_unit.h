// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/engine/compile/text/source_scan.h"
#include "core/model/diagnostic.h"

namespace wb {

/// The file's name in `#line`, and so in compiler messages. It does not depend on the user's path, which may
/// contain anything.
inline constexpr std::string_view kernelFileName = "kernel.cpp";

/// The text that is compiled for a torch C++ kernel: the user's, followed by the glue that makes the function
/// callable.
struct TranslationUnit {
  std::string text;
  /// The kernel's function.
  FunctionDefinition function;
  /// The source uses parts of torch that the stand-in header leaves out.
  bool wholeTorch = false;
  /// Messages for the glue's static assertions, by their number; they replace the compiler's.
  std::vector<Diagnostic> signatureErrors;
};

/// The names of functions that may implement an operator, best first: for "aten::sum.dim_IntList"
/// sum__dim_IntList_kernel_impl, sum_kernel_impl, sum__dim_IntList, sum.
[[nodiscard]] std::vector<std::string> kernelNames(std::string_view schemaName);

/// The function in `source` that implements the operator. Errors: none of the names is defined (with what was
/// found instead); it is defined as a template only.
Result<FunctionDefinition> findKernel(std::string_view source, std::string_view path,
                                      std::string_view schemaName);

/// The functions that may be a kernel when the operator is not known, best first.
[[nodiscard]] std::vector<std::string> possibleKernels(std::string_view source);

/// The schema of a text. Error: the text cannot be read.
Result<c10::FunctionSchema> parsedSchema(const std::string& text);

/// Appends the glue for `schema` to the source.
[[nodiscard]] TranslationUnit makeTranslationUnit(std::string_view source, FunctionDefinition function,
                                                  const c10::FunctionSchema& schema);

/// Parses what the compiler said of a unit and puts it in the user's terms: with `path` for the kernel's
/// file, with the signature's own errors, and with the end of the source for what the compiler found in the
/// glue.
[[nodiscard]] std::vector<Diagnostic> readMessages(std::string_view output, std::string_view tool,
                                                   const TranslationUnit& unit, std::string_view source,
                                                   const std::string& path);

}  // namespace wb
