// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/module_places.h"

#include <algorithm>
#include <vector>

#include "core/base/text.h"

namespace wb {
namespace {

std::string_view at(const std::vector<std::string_view>& lines, long index) {
  return index < 0 || index >= static_cast<long>(lines.size()) ? std::string_view{}
                                                               : lines[static_cast<std::size_t>(index)];
}

/// The line of `text` that equals `wanted`'s line and has the most equal neighbours; -1 when none equals it.
long alike(const std::vector<std::string_view>& text, const std::vector<std::string_view>& wanted,
           long index) {
  const auto same = [&](long there, long here) {
    const auto line = trimmed(at(wanted, here));
    return !line.empty() && at(text, there).find(line) != std::string_view::npos;
  };
  long best = -1;
  int bestScore = -1;
  for (long i = 0; i < static_cast<long>(text.size()); ++i) {
    if (!same(i, index)) continue;
    int score = 0;
    for (long near = -3; near <= 3; ++near) score += near != 0 && same(i + near, index + near) ? 1 : 0;
    if (score > bestScore) {
      best = i;
      bestScore = score;
    }
  }
  return best;
}

}  // namespace

Place placeInPython(const ModuleSources& sources, std::string_view part, int line, int column) {
  const std::string_view text = sources.callerText;
  const Place call{sources.callerPath, sources.callerLine, 0};
  if (line <= 0 || trimmed(part).empty()) return call;
  if (const auto found = text.find(part); found != std::string_view::npos) {
    const auto before = text.substr(0, found);
    const int first = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
    const auto lineStart = before.rfind('\n') + 1;  // since npos + 1 is 0
    const bool shifted = line == 1 && column > 0;
    return {sources.callerPath, first + line - 1,
            column + (shifted ? static_cast<int>(found - lineStart) : 0)};
  }
  const auto lines = splitLines(text), wanted = splitLines(part);
  const long index = alike(lines, wanted, line - 1);
  if (index < 0) return call;
  const auto there = at(lines, index), here = at(wanted, line - 1);
  const auto start = there.find(trimmed(here));
  const int indent = static_cast<int>(here.find_first_not_of(" \t"));
  return {sources.callerPath, static_cast<int>(index) + 1,
          column > indent ? column - indent + static_cast<int>(start) : 0};
}

}  // namespace wb
