// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/engine/compile/module_builder.h"

namespace wb {

/// Where a line of a source that was given as a string stands in the Python text that asked for it: where the
/// whole string is found in it, the very place; else the line that reads the same, with neighbours that do
/// (literals with escapes, strings put together); else the line of the call. `line` and `column` from 1, 0
/// unknown.
[[nodiscard]] Place placeInPython(const ModuleSources& sources, std::string_view part, int line, int column);

}  // namespace wb
