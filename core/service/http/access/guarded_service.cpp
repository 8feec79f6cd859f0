// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/access/guarded_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace wb {
namespace {

constexpr double afterRestart = 10;

}  // namespace

GuardedService::GuardedService(Service& service, SubmissionRules rules)
    : service_(service), rules_(std::move(rules)) {}

void GuardedService::useLimits(std::map<std::string, ClientLimits> limits) {
  const std::lock_guard lock(mutex_);
  rules_.limits = std::move(limits);
}

std::optional<ClientLimits> GuardedService::limitsOf(const std::string& client) const {
  const std::lock_guard lock(mutex_);
  const auto found = rules_.limits.find(client);
  return found == rules_.limits.end() ? std::nullopt : std::optional(found->second);
}

std::variant<std::string, Refusal> GuardedService::submit(Submission submission) {
  if (isDraining_)
    return Refusal{{Stage::job, "the service is stopping", "hand the job in again after its restart"},
                   afterRestart};
  submission.job.sandbox = submission.job.sandbox || (rules_.sandbox && submission.job.sanitizer.empty());
  // Hot lines are not told of a kernel in a process of its own.
  const bool asksLines = submission.job.stages.has(Stage::profile) && submission.job.profile.lines;
  const bool canBeStrict = rules_.strictAlways || !asksLines;
  submission.job.strict = submission.job.strict || (rules_.strict && canBeStrict);
  if (const std::optional<ClientLimits> limits = limitsOf(submission.client)) {
    submission.priority = std::min(submission.priority, limits->highestPriority);
    if (limits->mostQueued > 0) {
      const auto all = service_.runs(std::numeric_limits<std::size_t>::max());
      const auto waits = [&](const RunStatus& run) {
        return run.state == RunState::queued && run.client == submission.client;
      };
      const auto queued = static_cast<std::size_t>(std::ranges::count_if(all, waits));
      if (queued >= limits->mostQueued)
        return Refusal{
            {Stage::job,
             fmt::format("{} runs of '{}' wait already, as many as it may have", queued, submission.client),
             "wait until some of them have started"},
            1};
    }
  }
  return service_.submit(std::move(submission));
}

bool GuardedService::cancel(const std::string& id, const std::string& reason) {
  return service_.cancel(id, reason);
}
std::optional<RunStatus> GuardedService::status(const std::string& id) const {
  return service_.status(id);
}
std::vector<RunStatus> GuardedService::runs(std::size_t most) const {
  return service_.runs(most);
}
std::shared_ptr<const Report> GuardedService::report(const std::string& id) const {
  return service_.report(id);
}
EventPage GuardedService::events(const std::string& id, std::uint64_t first,
                                 std::chrono::milliseconds wait) const {
  return service_.events(id, first, wait);
}
std::optional<RunStatus> GuardedService::waitFor(const std::string& id, std::chrono::milliseconds wait,
                                                 const std::function<bool()>& isWanted) {
  return service_.waitFor(id, wait, isWanted);
}
ServiceCounts GuardedService::counts() const {
  return service_.counts();
}
KeptRuns GuardedService::kept() const {
  return service_.kept();
}
std::vector<DeviceState> GuardedService::devices() const {
  return service_.devices();
}
void GuardedService::drain(std::chrono::milliseconds wait) {
  isDraining_ = true;
  service_.drain(wait);
}

}  // namespace wb
