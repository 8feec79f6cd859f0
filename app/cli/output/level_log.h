// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace wb {

enum class Level { debug, info, warning, error, critical };
/// "INFO"
[[nodiscard]] std::string_view name(Level level);
/// In any case.
[[nodiscard]] std::optional<Level> findLevel(std::string_view name);

/// Writes lines as BackendBench logs them: "[2025-12-16 10:31:07][INFO][warpbench] text". May be used by any
/// thread.
class LevelLog {
 public:
  LevelLog(std::FILE* stream, Level least) : stream_(stream), least_(least) {}
  void say(Level level, const std::string& text) const;
  [[nodiscard]] bool shows(Level level) const { return level >= least_; }

 private:
  std::FILE* stream_;
  Level least_;
};

}  // namespace wb
