// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <string>
#include <vector>

#include "core/engine/call.h"

namespace wb {

/// One value that an operator returned, as something to compare.
struct Output {
  /// The value as a dense tensor without lazy conjugation or negation; a number is a tensor without
  /// dimensions. It is undefined for None and for anything else.
  at::Tensor tensor;
  /// The layout that the operator returned.
  at::Layout layout = at::kStrided;
  /// The dtype that the operator returned.
  at::ScalarType dtype = at::ScalarType::Undefined;
  /// What it is: "a tensor", "a number", "None", "a string", …
  std::string kind;
  /// Why a tensor cannot be looked into, such as being a subclass; "" for plain ones.
  std::string strange;
};

/// The results as a flat list, with lists and tuples taken apart. Throws what torch throws.
[[nodiscard]] std::vector<Output> flatOutputs(const Stack& results);

/// What is strange about a tensor among them, which is not looked at otherwise; "" for nothing.
[[nodiscard]] std::string strangeResult(const Stack& results);

/// "a tensor", "a list of 3", "a number", "None", …
[[nodiscard]] std::string kindText(const c10::IValue& value);

/// The results as Python sees them: several are a tuple, one alone is itself, none at all is None.
[[nodiscard]] c10::IValue pythonValue(const Stack& results);

/// Whether a value is a list or tuple of any kind.
[[nodiscard]] bool isSequence(const c10::IValue& value);
[[nodiscard]] std::vector<c10::IValue> itemsOf(const c10::IValue& sequence);
/// How many elements all tensors have together, those in lists of tensors included.
[[nodiscard]] std::int64_t elementsOf(const Stack& values);

/// The beginning of a message: "" for a single output, else "output 1: ".
[[nodiscard]] std::string outputPrefix(std::size_t output, std::size_t count);

}  // namespace wb
