// SPDX-License-Identifier: Apache-2.0
#include "core/service/mcp/tools/run_wait.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/figures/figures.h"

namespace wb {
namespace {

using Clock = std::chrono::steady_clock;

Error noSuchRun(const std::string& id) {
  return {Stage::job, fmt::format("there is no run '{}'", id.substr(0, 100)), "read_last_runs lists them"};
}

void sayProgress(const std::string& id, const ToolCall& call, ProgressPart part) {
  const auto status = call.host.service->status(id);
  if (!status) return;
  if (status->state == RunState::queued)
    return call.progress(part.from, status->ahead == 0
                                        ? "waiting for a device"
                                        : fmt::format("waiting: {} runs stand before it", status->ahead));
  if (const auto report = call.host.service->report(id))
    call.progress(part.from + part.share * progressFraction(*report), progressLine(*report));
}

Result<RunStatus> wait(const std::string& id, double seconds, const ToolCall& call, ProgressPart part,
                       bool endsRun) {
  constexpr std::chrono::milliseconds atOnce{200};
  const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(std::max(seconds, 0.0)));
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    sayProgress(id, call, part);
    auto status = call.host.service->waitFor(id, std::clamp(left, std::chrono::milliseconds{0}, atOnce), [&] {
      sayProgress(id, call, part);
      return !endsRun || !call.stop.stop_requested();
    });
    if (!status) return noSuchRun(id);
    if (isOver(status->state)) return *std::move(status);
    if (call.stop.stop_requested()) {
      if (endsRun) call.host.service->cancel(id, "the client cancelled the call");
      return *std::move(status);
    }
    if (left <= std::chrono::milliseconds{0}) return *std::move(status);
  }
}

}  // namespace

Result<std::string> submitRun(PlannedRun planned, double deadlineSeconds, const ToolCall& call) {
  for (const std::string& warning : planned.warnings) call.log("warning", warning);
  Submission submission;
  submission.job = std::move(planned.job);
  submission.client = call.client;
  submission.deadlineSeconds = deadlineSeconds;
  auto answered = call.host.service->submit(std::move(submission));
  if (auto* refused = std::get_if<Refusal>(&answered)) {
    Error error = std::move(refused->error);
    if (refused->retryAfterSeconds > 0)
      error.hint += fmt::format("{}try again in {:.0f} s", error.hint.empty() ? "" : "; ",
                                std::ceil(refused->retryAfterSeconds));
    return error;
  }
  const std::string& id = std::get<std::string>(answered);
  call.log("info", "accepted as run " + id);
  return id;
}

Result<RunStatus> waitForRun(const std::string& id, double seconds, const ToolCall& call, ProgressPart part) {
  return wait(id, seconds, call, part, true);
}

Result<RunStatus> followRun(const std::string& id, double seconds, const ToolCall& call) {
  return wait(id, seconds, call, {}, false);
}

Result<RunStatus> ownRun(const std::string& id, Service& service, const std::string& client) {
  auto status = service.status(id);
  // Whether another client has such a run is not told either.
  if (!status || status->client != client) return noSuchRun(id);
  return *std::move(status);
}

Result<std::shared_ptr<const Report>> ownReport(const std::string& id, Service& service,
                                                const std::string& client) {
  WB_TRY(const RunStatus status, ownRun(id, service, client));
  auto report = service.report(id);
  if (!report)
    return Error{Stage::job, fmt::format("the report of run {} is not kept any more", id), "run it again"};
  return report;
}

}  // namespace wb
