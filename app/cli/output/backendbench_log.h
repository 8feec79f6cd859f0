// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "app/cli/output/level_log.h"
#include "core/model/event.h"
#include "core/model/job.h"

namespace wb {

struct LogLine {
  Level level = Level::info;
  std::string text;
};

/// What BackendBench logs when such a thing happens; nothing for what it passes over.
[[nodiscard]] std::optional<LogLine> backendBenchLine(const Job& job, const Event& event);

}  // namespace wb
