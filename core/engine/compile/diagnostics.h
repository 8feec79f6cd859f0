// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/diagnostic.h"

namespace wb {

/// Parses what a compiler printed. `tool` is "g++" or "clang++" (file:line:column: error: …), "nvcc" or
/// "nvrtc" (file(line): error #20: …; lines of ptxas and the host's compiler too). Notes follow their error.
/// Carets and source excerpts are dropped, except that the caret line of nvcc and NVRTC gives the column,
/// which they do not print. Text that is not a message is ignored.
[[nodiscard]] std::vector<Diagnostic> parseDiagnostics(std::string_view output, std::string_view tool);

}  // namespace wb
