// SPDX-License-Identifier: Apache-2.0
#include "core/runner/active_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/quantity.h"

namespace wb {

namespace {
constexpr std::size_t longestHeldLine = std::size_t{4} << 10;
}

ActiveRun::ActiveRun(QueuedRun queued, const RunnerOptions& options)
    : queued_(std::move(queued)), progress_(queued_.job, options.crashesToQuarantine) {
  if (!queued_.listener) queued_.listener = [](Runner::RunId, const Event&) {};
  queued_.job.resume.reset();
  restartClock();
}

Job ActiveRun::handOver(const std::string& device) {
  Job job = queued_.job;
  job.device = device;
  if (handedOver_) job.resume = progress_.rest();
  handedOver_ = true;
  heard_ = false;
  progress_.handOver();
  restartClock();
  return job;
}

void ActiveRun::restartClock() {
  // A day at most: a limit may be as large as a double, and a time point is not.
  const double seconds = std::clamp(progress_.patience(), 0.0, 86400.0);
  deadline_ =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

void ActiveRun::take(const Event& event) {
  heard_ = true;
  if (const auto* line = std::get_if<Log>(&event)) return log(*line, keptOfEvents_);
  if (progress_.take(event)) restartClock();
  emit(event);
}

/// The worker bounds what user code prints; this bounds the worker, whatever it does.
std::int64_t ActiveRun::room(std::int64_t kept) const {
  const std::int64_t limit = std::clamp<std::int64_t>(queued_.job.limits.logBytes, 0, std::int64_t{1} << 40);
  return std::max<std::int64_t>(limit + (64 << 10) - kept, 0);
}

void ActiveRun::log(Log line, std::int64_t& kept) {
  const auto size = static_cast<std::int64_t>(line.text.size());
  const std::int64_t left = room(kept);
  if (size > left) {
    dropped_ += size - left;
    line.text.resize(static_cast<std::size_t>(left));
  }
  kept += static_cast<std::int64_t>(line.text.size());
  if (!line.text.empty()) emit(line);
}

void ActiveRun::takeErrors(std::string text) {
  if (text.empty()) return;
  if (room(keptOfErrors_) == 0) {  // the quick way, for floods
    dropped_ += static_cast<std::int64_t>(text.size());
    return;
  }
  heldErrors_ += text;
  const std::size_t end = heldErrors_.rfind('\n');
  std::size_t whole = end == std::string::npos ? 0 : end + 1;
  if (heldErrors_.size() - whole > longestHeldLine) whole = heldErrors_.size();
  if (whole == 0) return;
  std::string lines = heldErrors_.substr(0, whole);
  heldErrors_.erase(0, whole);
  if (lines.back() == '\n') lines.pop_back();
  log({"worker", std::move(lines)}, keptOfErrors_);
}

void ActiveRun::say(const std::string& text) {
  emit(Log{"runner", text});
}

void ActiveRun::lose(const RunProgress::Loss& loss) {
  ++losses_;
  if (!heldErrors_.empty()) takeErrors("\n");
  say(fmt::format("The worker was lost while {}: {}.", progress_.activity(), loss.reason));
  for (const Event& event : progress_.lose(loss)) emit(event);
}

void ActiveRun::finish(Outcome outcome) {
  if (!heldErrors_.empty()) takeErrors("\n");
  if (dropped_ > 0)
    say(fmt::format("{} more of output were dropped; at most {} are kept.",
                    formatBytes(static_cast<double>(dropped_)),
                    formatBytes(static_cast<double>(queued_.job.limits.logBytes))));
  emit(Finished{outcome, std::chrono::duration<double>(Clock::now() - started_).count()});
}

}  // namespace wb
