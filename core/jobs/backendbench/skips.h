// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace wb {

/// Whether BackendBench leaves an operator of a trace out: random ones, those that only create or move
/// tensors, those whose arguments' values it cannot make. `like`: as its lists are, where commas are missing
/// and any part of a name counts, so that "elu_backward.default" takes gelu_backward along; else exactly the
/// operators that they mean.
[[nodiscard]] bool skippedInTraces(const std::string& schemaName, bool like);

}  // namespace wb
