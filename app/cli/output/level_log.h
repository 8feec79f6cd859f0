// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/enum.h"

namespace wb {

WB_ENUM(Level, debug WB_WORD("DEBUG"), info WB_WORD("INFO"), warning WB_WORD("WARNING"),
        error WB_WORD("ERROR"), critical WB_WORD("CRITICAL"));
/// By its word, in upper or lower case.
[[nodiscard]] std::optional<Level> findLevel(std::string_view word);

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
