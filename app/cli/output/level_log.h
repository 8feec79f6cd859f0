// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace wb {

enum class Level { debug, info, warning, error, critical };
[[nodiscard]] std::string_view name(Level level);                     ///< "INFO"
[[nodiscard]] std::optional<Level> findLevel(std::string_view name);  ///< in any case

/// Lines as BackendBench logs them: "[2025-12-16 10:31:07][INFO][warpbench] text". Any thread.
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
