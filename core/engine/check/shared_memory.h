// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>

#include <string>
#include <vector>

#include "core/engine/call.h"

namespace wb {

/// One side of a check: the arguments that it got, and what it returned.
struct CallResults {
  const Stack& arguments;
  const Stack& results;
};

/// Which of its arguments each result shares memory with: `shared[result][argument]`.
using SharedArguments = std::vector<std::vector<bool>>;
[[nodiscard]] SharedArguments sharedArguments(const CallResults& call);

/// The message "output 0 shares memory with input 'self'", where the schema promises an output of its own and
/// the reference gives one; "" when all is well. Views that the schema allows are right, and so is an
/// operator that returns its input (as `contiguous` does).
[[nodiscard]] std::string forbiddenAlias(const c10::FunctionSchema& schema, const CallResults& candidate,
                                         const SharedArguments& reference);

/// The message "output 0 must be argument 'self' itself", for in-place and `out=` operators that return
/// another tensor; "" when all is well.
[[nodiscard]] std::string missingAlias(const c10::FunctionSchema& schema, const CallResults& candidate);

/// Whether the storages of two tensors overlap.
[[nodiscard]] bool sharesMemory(const at::Tensor& a, const at::Tensor& b);

}  // namespace wb
