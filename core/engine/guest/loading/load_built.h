// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>

#include <memory>

#include "core/base/result.h"
#include "core/engine/call.h"
#include "core/engine/guest/orders.h"

namespace wb {

/// Loads into this guest what its judge had built (LoadOrder::object), with the kernels of a GPU that it
/// names and the judge then compiles. Gives null where it does not run. Errors: it does not load, the
/// judge's, the CUDA runtime's.
Result<std::unique_ptr<Candidate>> loadBuilt(const LoadOrder& order, const c10::FunctionSchema& schema);

}  // namespace wb
