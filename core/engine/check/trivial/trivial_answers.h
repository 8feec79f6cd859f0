// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>

#include <string>
#include <vector>

#include "core/engine/call.h"
#include "core/model/job.h"

namespace wb {

/// Trivial answers, which take no work, that would pass as these outputs: "zeros", "ones", "a copy of 'self'"
/// (an input of the outputs' shape and dtype, as it was before the call), "an untouched buffer". Empty when
/// none would, when no output has elements, and when no output is a tensor. Throws what torch throws.
[[nodiscard]] std::vector<std::string> trivialAnswers(const c10::FunctionSchema& schema,
                                                      const Stack& arguments, const Stack& expected,
                                                      const Tolerance& tolerance);

/// Whether `answer`, such as what the reference gives for other inputs, would pass as these outputs. False
/// when there is nothing to tell by: as many outputs have to be tensors of the same shapes. Throws what torch
/// throws.
[[nodiscard]] bool wouldPass(const Stack& answer, const Stack& expected, const Tolerance& tolerance);

}  // namespace wb
