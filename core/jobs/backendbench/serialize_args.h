// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/result.h"

namespace wb {

/// A call's arguments as BackendBench prints them once it has made them: strides only where the tensor is not
/// contiguous, everything else as Python's repr(). `args` is in the trace grammar. A tensor within a tuple,
/// whose contents BackendBench would print, keeps the trace grammar's form.
Result<std::string> serializeArgs(const std::string& args);

}  // namespace wb
