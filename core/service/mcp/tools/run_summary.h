// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/model/report.h"
#include "core/service/mcp/tools/tool.h"
#include "core/service/service.h"

namespace wb {

/// What a run came to, or how far it is: the verdict on one line, what is wrong, the cases that matter most,
/// and where the rest is. `report` may be missing.
[[nodiscard]] ToolAnswer runAnswer(const RunStatus& status, const std::shared_ptr<const Report>& report);
/// The same of a run whose profile was asked for: counters, hot lines, advice of its first profiled case.
[[nodiscard]] ToolAnswer profileAnswer(const RunStatus& status, const std::shared_ptr<const Report>& report);

/// A run's numbers, and the schema of them.
[[nodiscard]] McpJson runValues(const RunStatus& status, const Report* report);
[[nodiscard]] McpJson runSchema();

/// The resources of a run's whole report.
[[nodiscard]] std::vector<McpLink> reportLinks(const std::string& run);
[[nodiscard]] std::string reportUri(const std::string& run, std::string_view extension);

}  // namespace wb
