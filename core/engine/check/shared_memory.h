// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>

#include <string>

#include "core/engine/call.h"

namespace wb {

/// One side of a check: the arguments that it was given, and what it returned.
struct CallResults {
  const Stack& arguments;
  const Stack& results;
};

/// "output 0 shares memory with input 'self'", where the schema promises an output of its own and the
/// reference gives one; "" when there is none. Views that the schema allows, and an operator that hands its
/// input back (as `contiguous` does), are right.
[[nodiscard]] std::string forbiddenAlias(const c10::FunctionSchema& schema, const CallResults& candidate,
                                         const CallResults& reference);

/// "output 0 must be argument 'self' itself", for in-place and `out=` operators that return another tensor;
/// "" when all is well.
[[nodiscard]] std::string missingAlias(const c10::FunctionSchema& schema, const CallResults& candidate);

/// Do two tensors' storages overlap?
[[nodiscard]] bool sharesMemory(const at::Tensor& a, const at::Tensor& b);

}  // namespace wb
