// SPDX-License-Identifier: Apache-2.0
// What a run says beside its events: user code's output within bounds, and the sanitizer's messages.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/model/log_sources.h"
#include "core/runner/active_run.h"
#include "core/runner/sanitizer/sanitizer_log.h"

namespace wb {

namespace {
constexpr std::size_t longestHeldLine = std::size_t{4} << 10;
}  // namespace

/// How much may still be kept. The worker limits what user code prints; this limits the worker, whatever it
/// does.
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

void ActiveRun::takeErrors(std::size_t station, std::string text) {
  std::string& heldErrors = desks_[station].heldErrors;
  if (text.empty()) return;
  if (room(keptOfErrors_) == 0) {  // the quick way for floods of output
    dropped_ += static_cast<std::int64_t>(text.size());
    return;
  }
  heldErrors += text;
  const std::size_t end = heldErrors.rfind('\n');
  std::size_t whole = end == std::string::npos ? 0 : end + 1;
  if (heldErrors.size() - whole > longestHeldLine) whole = heldErrors.size();
  if (whole == 0) return;
  std::string lines = heldErrors.substr(0, whole);
  heldErrors.erase(0, whole);
  if (lines.back() == '\n') lines.pop_back();
  log({"worker", std::move(lines)}, keptOfErrors_);
}

void ActiveRun::flushErrors(std::size_t station) {
  if (!desks_[station].heldErrors.empty()) takeErrors(station, "\n");
}

std::string describe(const Seat& seat) {
  const std::string& where = seat.title.empty() ? seat.host : seat.title;
  return where.empty() ? seat.device : fmt::format("{} of {}", seat.device, where);
}

void ActiveRun::say(const std::string& text) {
  emit(Log{"runner", text});
}

void ActiveRun::sayOfPlace(const std::string& text) {
  emit(Log{std::string(placeSource), text});
}

void ActiveRun::takeTarget(std::size_t station, const Target& target) {
  desks_[station].deviceName = target.deviceName;
  if (!deviceNames_.insert(target.deviceName).second || deviceNames_.size() != 2) return;
  sayOfPlace(fmt::format(
      "The workers' devices differ: {} and {}. Each case's kernel and reference are timed on one of them, "
      "so ratios can be compared, and times only among cases of one device.",
      *deviceNames_.begin(), *deviceNames_.rbegin()));
}

void ActiveRun::sayWaiting(const std::string& where) {
  emit(Log{std::string(waitingSource), where});
}

void ActiveRun::sayTarget(const std::string& title) {
  emit(Log{std::string(targetSource), title});
}

void ActiveRun::sayOfConnection(const std::string& text) {
  emit(Log{std::string(connectionSource), text});
}

/// The kernel whose source a finding is in; else the one that the worker last spoke of.
std::uint32_t ActiveRun::kernelOf(const SanitizerFinding& finding) const {
  const auto& kernels = queued_.job.kernels;
  if (isIn(finding, kernels[kernel_].path)) return kernel_;
  for (std::uint32_t k = 0; k < kernels.size(); ++k)
    if (isIn(finding, kernels[k].path)) return k;
  return kernel_;
}

void ActiveRun::takeSanitizerLog(const std::string& content) {
  const SanitizerLog log = parseSanitizerLog(content);
  const std::string tool = sanitizer();
  for (const SanitizerFinding& finding : log.findings) {
    const std::uint32_t kernel = kernelOf(finding);
    const Diagnosed diagnosed{kernel, toDiagnostic(finding, tool, queued_.job.kernels[kernel].path)};
    // A worker that took over may find the same fault in another thread.
    const std::string key =
        fmt::format("{} {} {}", finding.what, finding.function, text(diagnosed.diagnostic.place));
    if (!found_.insert(key).second) continue;
    Sanitized& sum = sanitized_[kernel];
    ++sum.places;
    if (finding.severity == Severity::error) ++sum.errors;
    record(diagnosed);
  }
  // What the tool says of itself is said of the kernel that its worker was at last.
  Sanitized& last = sanitized_[kernel_];
  last.complete = last.complete && log.complete;
  for (const std::string& note : log.notes) {
    if (!found_.insert(note).second) continue;
    last.notes.push_back(note);
    say(fmt::format("compute-sanitizer {}: {}", tool, note));
  }
  if (!log.complete) say(fmt::format("compute-sanitizer {} was cut off: its messages may not be all.", tool));
}

}  // namespace wb
