// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/diagnostics.h"

#include "core/engine/compile/diagnostic_lines.h"

namespace wb {

std::vector<std::string_view> splitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::vector<Diagnostic> parseDiagnostics(std::string_view output, std::string_view tool) {
  const auto lines = splitLines(output);
  return tool == "nvcc" || tool == "nvrtc" ? parseCudaDiagnostics(lines, tool)
                                           : parseHostDiagnostics(lines, tool);
}

}  // namespace wb
