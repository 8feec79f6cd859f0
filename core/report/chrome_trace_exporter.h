// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/model/report.h"

namespace wb {

/// The timelines of all profiled cases in Chrome's trace event format (JSON object form), which Perfetto and
/// chrome://tracing open: a process per side of a case, a thread for the host and for each stream, times in
/// microseconds. Error (Stage::report) when the report has no timeline, with the reason.
Result<std::string> chromeTrace(const Report& report);

}  // namespace wb
