// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace wb {

/// Text of the exception being handled; to be called in a `catch (...)`. torch's own without its C++
/// backtrace.
[[nodiscard]] std::string exceptionText();

}  // namespace wb
