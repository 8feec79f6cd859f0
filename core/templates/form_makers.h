// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/templates/new_kernel.h"
#include "core/templates/schema.h"

namespace wb {

/// The words to fill in: {"function", "relu_kernel_impl"}.
using FormWords = std::map<std::string_view, std::string, std::less<>>;

/// The text with each `{{word}}` replaced; a word that is missing is left.
[[nodiscard]] std::string fillForm(std::string_view text, const FormWords& words);
/// An expression of the tables in a language: what "T(" and "F:" become.
[[nodiscard]] std::string spelled(std::string_view expression, std::string_view number,
                                  std::string_view function);
/// "x", or "a" and "b"; and where they come from: "xs", or "first" and "second".
[[nodiscard]] std::string elementName(int input, int inputs);
[[nodiscard]] std::string pointerName(int input, int inputs);

/// A kernel in a language; nothing where there is no form for the operator. `words` has what all forms use.
[[nodiscard]] std::optional<NewKernel> cppForm(const Schema& schema, FormWords words);
[[nodiscard]] std::optional<NewKernel> cudaForm(const Schema& schema, FormWords words);
[[nodiscard]] std::optional<NewKernel> tritonForm(const Schema& schema, FormWords words);
[[nodiscard]] std::optional<NewKernel> rawCudaForm(const Schema& schema, FormWords words);
/// A raw CUDA kernel that has the operator's tensors and nothing else. The error says what it cannot take.
Result<NewKernel> rawCudaBegin(const Schema& schema, FormWords words);

inline constexpr const char *byElement = "element by element", *byRow = "row by row",
                            *byTile = "tile by tile", *byAten = "ATen's answer", *unwritten = "to be written";

}  // namespace wb
