// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/engine/compile/module_builder.h"

namespace wb {

/// Where a line of a source that was given as a string stands in the Python text that asked for it. Where the
/// whole string is found there, it is the exact place; else the line that reads the same and whose neighbours
/// do (literals with escapes, strings put together); else the line of the call. `line` and `column` count
/// from 1; 0 is unknown.
[[nodiscard]] Place placeInPython(const ModuleSources& sources, std::string_view part, int line, int column);

}  // namespace wb
