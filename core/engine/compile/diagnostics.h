// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/diagnostic.h"

namespace wb {

/// Parses what a compiler printed. `tool`: "g++", "clang++" (file:line:column: error: …), "nvcc" and "nvrtc"
/// (file(line): error #20: …; ptxas and host-compiler lines too). Notes follow their error; carets and source
/// excerpts are dropped, except that nvcc's and NVRTC's caret line gives the column that they do not print.
/// Text that is no message is ignored.
[[nodiscard]] std::vector<Diagnostic> parseDiagnostics(std::string_view output, std::string_view tool);

}  // namespace wb
