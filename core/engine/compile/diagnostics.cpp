// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/diagnostics.h"

#include "core/base/text.h"
#include "core/engine/compile/diagnostic_lines.h"

namespace wb {

std::vector<Diagnostic> parseDiagnostics(std::string_view output, std::string_view tool) {
  const auto lines = splitLines(output);
  return tool == "nvcc" || tool == "nvrtc" ? parseCudaDiagnostics(lines, tool)
                                           : parseHostDiagnostics(lines, tool);
}

}  // namespace wb
