// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/service/mcp/tools/run_request.h"
#include "core/service/mcp/tools/tool.h"

namespace wb {

/// The part of a call's progress that waiting for one run is.
struct ProgressPart {
  double from = 0, share = 1;
};

/// Hands in a run; gives its id. The error says when another try may be worth it, where the queue is full.
Result<std::string> submitRun(PlannedRun planned, double deadlineSeconds, const ToolCall& call);

/// Waits until a run is over or so many seconds have passed, and says how far it is. A call that is cancelled
/// cancels its run.
Result<RunStatus> waitForRun(const std::string& id, double seconds, const ToolCall& call,
                             ProgressPart part = {});
/// The same of a run that another call began, and that goes on when this one is cancelled.
Result<RunStatus> followRun(const std::string& id, double seconds, const ToolCall& call);

/// The run, if it is one of the client's own.
Result<RunStatus> ownRun(const std::string& id, Service& service, const std::string& client);
/// Its report. Error: no such run, or its report is not kept any more.
Result<std::shared_ptr<const Report>> ownReport(const std::string& id, Service& service,
                                                const std::string& client);

}  // namespace wb
