// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace wb {

/// The sizes of all memory on the host that torch's allocator gives this thread in `work`, in their order:
/// results, and what an operator needs meanwhile. Memory that libraries take for themselves is not among
/// them.
[[nodiscard]] std::vector<std::size_t> allocatedIn(const std::function<void()>& work);

}  // namespace wb
