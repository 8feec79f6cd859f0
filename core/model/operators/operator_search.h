// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/model/operators/catalogue.h"

namespace wb {

/// The operators that fit what somebody types, best first, as indices; at most so many. A name that is just
/// that comes first, then names that begin so, then names that hold it, then schemas that do. Among equals
/// come first operators that return a new tensor, then those that write to an argument. Several words have to
/// fit all. Nothing typed gives everyday operators.
[[nodiscard]] std::vector<std::size_t> searchOperators(std::string_view typed,
                                                       const std::vector<OperatorEntry>& operators,
                                                       std::size_t most);

}  // namespace wb
