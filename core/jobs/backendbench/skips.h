// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace wb {

/// Whether BackendBench leaves an operator of a trace out: random ones, those that only create or move
/// tensors, those whose arguments' values it cannot make. With `like` its lists count as they are, in which
/// commas are missing and any part of a name matches, so that "elu_backward.default" takes gelu_backward
/// along; else exactly the operators that the lists mean.
[[nodiscard]] bool skippedInTraces(const std::string& schemaName, bool like);

}  // namespace wb
