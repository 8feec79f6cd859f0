// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/model/diagnostic.h"

namespace wb {

// The two families of compiler output behind parseDiagnostics().

/// One line "file:line:column: severity: message [-Wcode]" of g++, clang++ or a linker; nullopt for any
/// other.
[[nodiscard]] std::optional<Diagnostic> parseHostLine(std::string_view line, std::string_view tool);

/// g++ and clang++. "required from" and "In file included from", which come before their message, become
/// notes after it.
[[nodiscard]] std::vector<Diagnostic> parseHostDiagnostics(const std::vector<std::string_view>& lines,
                                                           std::string_view tool);

/// nvcc and NVRTC: the EDG front end's "file(line): error #20-D: …" with its caret line, ptxas and nvlink,
/// and what nvcc passes on from the host's compiler.
[[nodiscard]] std::vector<Diagnostic> parseCudaDiagnostics(const std::vector<std::string_view>& lines,
                                                           std::string_view tool);

}  // namespace wb
