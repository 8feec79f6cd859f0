// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/model/diagnostic.h"

namespace wb {

// These parse the two families of compiler output for parseDiagnostics().

/// Parses one line "file:line:column: severity: message [-Wcode]" of g++, clang++ or a linker; nullopt for
/// any other line.
[[nodiscard]] std::optional<Diagnostic> parseHostLine(std::string_view line, std::string_view tool);

/// Parses what g++ and clang++ print. "required from" and "In file included from", which come before their
/// message, become notes after it.
[[nodiscard]] std::vector<Diagnostic> parseHostDiagnostics(const std::vector<std::string_view>& lines,
                                                           std::string_view tool);

/// Parses what nvcc and NVRTC print: the EDG front end's "file(line): error #20-D: …" with its caret line,
/// messages of ptxas and nvlink, and those of the host's compiler, which nvcc passes on.
[[nodiscard]] std::vector<Diagnostic> parseCudaDiagnostics(const std::vector<std::string_view>& lines,
                                                           std::string_view tool);

}  // namespace wb
