// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <string>
#include <vector>

#include "core/engine/call.h"

namespace wb {

/// One value that an operator gave, as something to compare.
struct Output {
  at::Tensor tensor;  ///< dense, its memory as it reads; a number is a tensor of no dimension; undefined for
                      ///< None and for what is neither
  at::Layout layout = at::kStrided;                  ///< as it came
  at::ScalarType dtype = at::ScalarType::Undefined;  ///< as it came
  std::string kind;                                  ///< "a tensor", "a number", "None", "a string", …
  std::string strange;  ///< why a tensor cannot be looked into, such as a subclass; "" for plain ones
};

/// Results as a flat list: lists and tuples opened. Throws what torch throws.
[[nodiscard]] std::vector<Output> flatOutputs(const Stack& results);

/// "a tensor", "a list of 3", "a number", "None", …
[[nodiscard]] std::string kindText(const c10::IValue& value);

/// Results as Python sees them: several are a tuple, one alone is itself, none at all is None.
[[nodiscard]] c10::IValue pythonValue(const Stack& results);

/// Lists and tuples of any kind.
[[nodiscard]] bool isSequence(const c10::IValue& value);
[[nodiscard]] std::vector<c10::IValue> itemsOf(const c10::IValue& sequence);

/// "" for a single output, else "output 1: ".
[[nodiscard]] std::string outputPrefix(std::size_t output, std::size_t count);

}  // namespace wb
