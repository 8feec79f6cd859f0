// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/level_log.h"

#include <fmt/format.h>

#include <array>
#include <ctime>

#include "app/cli/output/output.h"
#include "core/base/text.h"

namespace wb {

std::optional<Level> findLevel(std::string_view word) {
  for (const Level level : enumValues<Level>)
    if (lowerCase(name(level)) == lowerCase(word)) return level;
  return std::nullopt;
}

void LevelLog::say(Level level, const std::string& text) const {
  if (!shows(level)) return;
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 32> stamp{};
  std::strftime(stamp.data(), stamp.size(), "%Y-%m-%d %H:%M:%S", &local);
  const std::string line =
      fmt::format("[{}][{}][warpbench] {}\n", stamp.data(), name(level), printableLines(text));
  std::fwrite(line.data(), 1, line.size(), stream_);
}

}  // namespace wb
