// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/output/level_log.h"
#include "core/model/event.h"
#include "core/model/job.h"
#include "core/model/report.h"

namespace wb {

struct LogLine {
  Level level = Level::info;
  std::string text;
};

/// What BackendBench logs when such a thing happens; nothing for what it passes over.
[[nodiscard]] std::optional<LogLine> backendBenchLine(const Job& job, const Event& event);

/// The kernels of files that hand their own operator to ATen, a line each: "relu.default: hands relu to ATen
/// in 5 of 6 cases".
[[nodiscard]] std::vector<LogLine> handedToAten(const Report& report);

}  // namespace wb
