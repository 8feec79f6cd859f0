// SPDX-License-Identifier: Apache-2.0
#include "core/runner/active_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/quantity.h"
#include "core/model/event_bounds.h"
#include "core/runner/sanitizer.h"
#include "core/runner/sanitizer_log.h"

namespace wb {

namespace {
constexpr std::size_t longestHeldLine = std::size_t{4} << 10;
constexpr int mostAsides = 10000;  ///< messages of compilers and the like; nobody reads more
constexpr std::chrono::seconds worthTelling{2};
constexpr double worthLogging = 10;
}  // namespace

namespace {
/// Whoever made the job may have prepared it; limits grow once.
QueuedRun prepared(QueuedRun queued) {
  if (queued.job.stages.has(Stage::time) || queued.job.stages.has(Stage::profile))
    prepareForSanitizer(queued.job);
  return queued;
}
}  // namespace

ActiveRun::ActiveRun(QueuedRun queued, const RunnerOptions& options)
    : queued_(prepared(std::move(queued))), progress_(queued_.job, options.crashesToQuarantine) {
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
  const auto now = Clock::now();
  spent_[static_cast<std::size_t>(purse_)] += now - since_;
  if (progress_.step() != step_) {
    step_ = progress_.step();
    spent_ = {};
  }
  purse_ = progress_.purse();
  since_ = now;
  nextTelling_ = now + worthTelling;
  // A day at most: a limit may be as large as a double, and a time point is not.
  const double seconds = std::clamp(progress_.patience(), 0.0, 86400.0);
  const auto left = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)) -
                    spent_[static_cast<std::size_t>(purse_)];
  deadline_ = now + std::max(left, Clock::duration::zero());
}

void ActiveRun::tellOfLong(Clock::time_point now) {
  if (now < nextTelling_) return;
  nextTelling_ = now + std::chrono::seconds{1};
  std::optional<SideStarted> at = progress_.caseUnderWay();
  if (!at) return;
  at->seconds = std::chrono::duration<double>(now - since_).count();
  emit(*at);
  if (at->first && at->seconds >= worthLogging && !std::exchange(toldFirstCall_, true))
    say(fmt::format(
        "{}: the first call takes long, since the kernel compiles or tunes itself; it may take {}.",
        progress_.activity(), formatSeconds(progress_.patience())));
}

void ActiveRun::forgive(Clock::duration gap) {
  since_ += gap;
  deadline_ += gap;
  nextTelling_ += gap;
}

void ActiveRun::fail(const Error& error) {
  emit(StageFailed{std::nullopt, error});
}

std::string ActiveRun::take(Event event) {
  heard_ = heardEver_ = true;
  boundTexts(event);
  if (auto* line = std::get_if<Log>(&event)) {
    log(std::move(*line), keptOfEvents_);
    return {};
  }
  RunProgress::Fit fit = progress_.fit(event);
  if (!fit.misfit.empty()) return std::move(fit.misfit);
  const bool aside = std::holds_alternative<Diagnosed>(event) || resultIn<Listed>(event) ||
                     std::holds_alternative<DeviceMeasured>(event);
  if (aside && ++asides_ > mostAsides) fit.ignored = true;
  if (fit.ignored) return {};
  const auto speaksOf = [this](std::uint32_t kernel) {
    if (kernel < queued_.job.kernels.size()) kernel_ = kernel;
  };
  if (const auto* started = std::get_if<StepStarted>(&event)) speaksOf(started->kernel);
  if (progress_.take(event)) restartClock();
  emit(event);
  return {};
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

/// Whose source a finding is in; else the one that the worker last spoke of.
std::uint32_t ActiveRun::kernelOf(const SanitizerFinding& finding) const {
  const auto& kernels = queued_.job.kernels;
  if (isIn(finding, kernels[kernel_].path)) return kernel_;
  for (std::uint32_t k = 0; k < kernels.size(); ++k)
    if (isIn(finding, kernels[k].path)) return k;
  return kernel_;
}

void ActiveRun::takeSanitizerLog(const std::string& content) {
  const SanitizerLog log = parseSanitizerLog(content);
  const std::string& tool = sanitizer();
  for (const SanitizerFinding& finding : log.findings) {
    const std::uint32_t kernel = kernelOf(finding);
    const Diagnosed diagnosed{kernel, toDiagnostic(finding, tool, queued_.job.kernels[kernel].path)};
    // A worker that took over may meet the same fault in another thread.
    const std::string key =
        fmt::format("{} {} {}", finding.what, finding.function, text(diagnosed.diagnostic.place));
    if (!found_.insert(key).second) continue;
    ++findings_;
    emit(diagnosed);
  }
  for (const std::string& note : log.notes)
    if (found_.insert(note).second) say(fmt::format("compute-sanitizer {}: {}", tool, note));
  if (!log.complete) say(fmt::format("compute-sanitizer {} was cut off: its messages may not be all.", tool));
}

void ActiveRun::lose(const RunProgress::Loss& loss) {
  ++losses_;
  if (!heldErrors_.empty()) takeErrors("\n");
  for (Event& event : progress_.lose(loss)) {
    if (auto* lost = std::get_if<WorkerLost>(&event)) {
      lost->seconds = seconds();
      say(describe(*lost) + ".");
    }
    emit(event);
  }
}

void ActiveRun::loseIdle(const RunProgress::Loss& loss) {
  const WorkerLost lost{Blame::warpbench, std::nullopt,   "waiting for a job",
                        loss.reason,      loss.lastWords, seconds()};
  say(describe(lost) + ".");
  emit(lost);
}

double ActiveRun::seconds() const {
  return std::chrono::duration<double>(Clock::now() - started_).count();
}

void ActiveRun::leaveKernel() {
  if (!heldErrors_.empty()) takeErrors("\n");
  progress_.leaveKernel();
}

void ActiveRun::finish(Outcome outcome) {
  if (!heldErrors_.empty()) takeErrors("\n");
  if (!sanitizer().empty() && outcome == Outcome::finished && heardEver_)
    say(fmt::format("compute-sanitizer {} found {}. Nothing was timed or profiled under it.", sanitizer(),
                    findings_ == 0   ? "no errors"
                    : findings_ == 1 ? "errors at one place"
                                     : fmt::format("errors at {} places", findings_)));
  if (dropped_ > 0)
    say(fmt::format("{} more of output were dropped; at most {} are kept.",
                    formatBytes(static_cast<double>(dropped_)),
                    formatBytes(static_cast<double>(queued_.job.limits.logBytes))));
  if (asides_ > mostAsides)
    say(fmt::format("{} more messages about kernels were dropped; at most {} are kept.", asides_ - mostAsides,
                    mostAsides));
  emit(Finished{outcome, seconds()});
}

}  // namespace wb
