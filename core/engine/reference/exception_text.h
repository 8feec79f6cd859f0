// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace wb {

/// The text of the exception that is being handled, for a `catch (...)`; that of a torch exception without
/// its C++ backtrace.
[[nodiscard]] std::string exceptionText();

}  // namespace wb
