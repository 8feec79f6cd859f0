// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace wb {

/// Log::source of a line that says what a worker makes once, while a kernel waits for it: "the compiler:
/// precompiled header of torch …". It holds until the worker's next line; progress shows it.
inline constexpr std::string_view preparingSource = "preparing";

}  // namespace wb
