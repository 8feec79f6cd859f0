// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/level_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <ctime>

#include "app/cli/output/output.h"

namespace wb {
namespace {
constexpr std::array<std::string_view, 5> names = {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"};
}  // namespace

std::string_view name(Level level) {
  return names[static_cast<std::size_t>(level)];
}

std::optional<Level> findLevel(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto same = [](char a, char b) { return std::toupper(static_cast<unsigned char>(a)) == b; };
    if (std::equal(name.begin(), name.end(), names[i].begin(), names[i].end(), same))
      return static_cast<Level>(i);
  }
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
