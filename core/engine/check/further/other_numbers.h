// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>

#include <string>
#include <vector>

#include "core/model/operators/literal.h"

namespace wb {

/// A call that gives a number which the case leaves out, and which one: "alpha = 2".
struct OtherNumber {
  std::string words;
  Literal call;
};

/// For each number of the schema that the call leaves to its default: the call with another one, twice the
/// default or one half where that is zero.
[[nodiscard]] std::vector<OtherNumber> withOtherNumbers(const Literal& call,
                                                        const c10::FunctionSchema& schema);

}  // namespace wb
