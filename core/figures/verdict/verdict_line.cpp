// SPDX-License-Identifier: Apache-2.0
#include "core/figures/verdict/verdict_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <map>
#include <set>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/verdict/run_speedup.h"
#include "core/model/log_sources.h"
#include "core/model/pace.h"

namespace wb {

namespace {

Tone toneOfSummary(const RunSpeedup& speedup) {
  return speedup.summary.cases == 1 ? toneOf(speedup.pace) : toneOf(speedup.summary);
}

/// "does not compile: 2 errors"
std::string compileFailure(const KernelReport& kernel) {
  const auto errors = std::count_if(kernel.diagnostics.begin(), kernel.diagnostics.end(),
                                    [](const Diagnostic& d) { return d.severity == Severity::error; });
  return "does not compile: " +
         (errors > 0 ? plural(errors, "error", "errors") : firstLine(kernel.failure->text, 80));
}

/// What kept a run from checking anything; "" where nothing did.
std::string failureText(const Report& report) {
  if (report.failure) return "not run: " + firstLine(report.failure->text, 100);
  int failed = 0;
  const KernelReport* first = nullptr;
  for (const auto& kernel : report.kernels)
    if (kernel->failure && ++failed == 1) first = &*kernel;
  if (failed == 0) return {};
  if (report.kernels.size() > 1)
    return fmt::format("{} of {} kernels did not run", failed, report.kernels.size());
  return first->failure->stage == Stage::compile ? compileFailure(*first)
                                                 : "not run: " + firstLine(first->failure->text, 100);
}

VerdictLine::Part rightPart(const Report& report, const Counts& all) {
  const int scored = all.passed + all.failed;
  // Void cases are no part of the share, which they would have made larger or smaller.
  const std::string left = all.neutral > 0 ? fmt::format(", {} void", formatCount(all.neutral)) : "";
  if (scored > 0)
    return {fmt::format("{} of {} right{}", formatCount(all.passed), formatCount(scored), left),
            all.failed > 0 ? Tone::bad : Tone::good};
  if (!report.stages.has(Stage::check)) return {"not checked", Tone::muted};
  if (all.neutral > 0) return {"no case that counts", Tone::muted};
  return {report.outcome == Outcome::running ? "nothing checked yet" : "nothing checked", Tone::muted};
}

VerdictLine::Part speedupPart(const Report& report, const Counts& all) {
  const RunSpeedup speedup = runSpeedup(report);
  if (speedup.summary.cases > 0) {
    std::string said = formatRatio(speedup.summary.geomean);
    said +=
        fmt::format(" ({}), {}", intervalText(speedup.summary.low, speedup.summary.high), name(speedup.pace));
    if (!speedup.whose.empty()) said += " by " + speedup.whose;
    if (const std::string devices = devicesText(report); !devices.empty()) said += "; " + devices;
    const std::string more = leftOutText(speedup);
    if (more.empty()) return {std::move(said), toneOfSummary(speedup)};
    return {said + "; " + more, Tone::warning};
  }
  if (!speedup.whyNone.empty()) return {speedup.whyNone, Tone::bad};
  if (all.timed > 0) return {speedup.unscored > 0 ? "not scored, since it crashed" : "too noisy", Tone::bad};
  const std::string why = whyNotTimed(report);
  return {why.empty() ? "not timed" : why, Tone::muted};
}

std::string deviceText(const Report& report) {
  std::string device = "CPU";
  if (report.device.starts_with("cuda")) {
    device = report.target.deviceName.empty() ? report.device : report.target.deviceName;
    constexpr std::string_view maker = "NVIDIA ";
    if (device.starts_with(maker)) device.erase(0, maker.size());
  }
  const std::string targets = targetsText(report);
  return targets.empty() ? device : fmt::format("{} on {}", device, targets);
}

std::string caveatOf(const Report& report, const Counts& all) {
  if (report.kernels.empty() || report.failure) return {};
  const int left = all.total - all.checked;
  if (report.outcome == Outcome::running)
    return all.total > 0
               ? fmt::format("So far: {} of {} cases.", formatCount(all.checked), formatCount(all.total))
               : std::string("The run has just begun.");
  const std::string rest = left > 0 && all.total > 0 ? fmt::format(": {} of {} cases did not run.",
                                                                   formatCount(left), formatCount(all.total))
                                                     : std::string(".");
  if (report.outcome == Outcome::cancelled) return "Cancelled" + rest;
  if (report.outcome == Outcome::workerLost) return "The worker was lost" + rest;
  return {};
}

std::string kernelsText(const Report& report) {
  if (report.kernels.empty()) return "No kernel";
  return report.kernels.size() == 1 ? kernelLabel(report, 0)
                                    : fmt::format("{} kernels", formatCount(std::ssize(report.kernels)));
}

}  // namespace

std::string targetsText(const Report& report) {
  // The runner says each when its first worker gets work, which may be long after others have begun. Kernels
  // may print without end, and not all of that is looked through.
  constexpr std::size_t beginning = 20'000;
  std::set<std::string> names;
  for (std::size_t i = 0; i < std::min(report.log.size(), beginning); ++i)
    if (report.log[i].source == targetSource) names.insert(firstLine(report.log[i].text, 60));
  std::string said;
  for (const std::string& each : names) said += (said.empty() ? "" : " and ") + each;
  return said;
}

VerdictLine verdictLine(const Report& report) {
  VerdictLine line;
  line.startedAt = report.startedAt;
  line.parts.push_back({kernelsText(report)});
  if (report.kernels.empty()) return line;
  const Counts all = counts(report);
  const bool isChecked = all.passed + all.failed + all.neutral > 0;
  if (std::string failure = failureText(report); !failure.empty()) {
    line.parts.push_back({std::move(failure), Tone::bad});
  }
  std::string note;
  for (const auto& kernel : report.kernels)
    if (kernel->compiled && note.empty()) note = kernel->compiled->note;
  if (line.parts.size() == 1 || isChecked) {
    if (!note.empty() && !isChecked) {
      line.parts.push_back({firstLine(note, 120), Tone::muted});
    } else {
      line.parts.push_back(rightPart(report, all));
      if (report.stages.has(Stage::time) || all.timed > 0) line.parts.push_back(speedupPart(report, all));
    }
  }
  if (report.strict) line.parts.push_back({"strict"});
  if (!report.sanitizer.empty()) line.parts.push_back({report.sanitizer});
  if (!report.suite.empty()) line.parts.push_back({report.suite});
  line.parts.push_back({deviceText(report)});
  line.caveat = caveatOf(report, all);
  return line;
}

std::string timeOfDay(std::string_view iso, const ReadersClock& clock) {
  // "2026-11-22T12:20:57Z"
  constexpr std::size_t places[] = {0, 5, 8, 11, 14}, lengths[] = {4, 2, 2, 2, 2};
  int numbers[5] = {};
  for (int i = 0; i < 5; ++i) {
    if (iso.size() < places[i] + lengths[i]) return {};
    const char* from = iso.data() + places[i];
    if (std::from_chars(from, from + lengths[i], numbers[i]).ec != std::errc{}) return {};
  }
  using namespace std::chrono;
  const year_month_day date{year{numbers[0]}, month{unsigned(numbers[1])}, day{unsigned(numbers[2])}};
  if (!date.ok()) return {};
  const auto at = sys_days(date) + hours(numbers[3]) + minutes(numbers[4]) + minutes(clock.minutesFromUtc);
  const auto midnight = floor<days>(at);
  const year_month_day there{midnight};
  const auto minute = duration_cast<minutes>(at - midnight).count();
  const std::string day =
      fmt::format("{:04}-{:02}-{:02}", int(there.year()), unsigned(there.month()), unsigned(there.day()));
  constexpr std::array months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::string_view today = clock.today;
  const bool isThisYear = today.size() == day.size() && day.starts_with(today.substr(0, 5));
  std::string said = day + " ";
  if (day == today)
    said.clear();
  else if (isThisYear)
    said = fmt::format("{} {} ", unsigned(there.day()), months.at(unsigned(there.month()) - 1));
  said += fmt::format("{:02}:{:02}", minute / 60, minute % 60);
  // No clock of a reader is ahead by parts of a minute, so the seconds stand as they are written.
  if (clock.saysSeconds && iso.size() >= 19 && iso[16] == ':') said.append(iso.substr(16, 3));
  return clock.zone.empty() ? said : said + " " + clock.zone;
}

std::string verdictText(const VerdictLine& line, const ReadersClock& clock) {
  std::string all;
  const auto say = [&all](std::string_view part) {
    if (!part.empty()) all.append(all.empty() ? "" : " · ").append(part);
  };
  for (const VerdictLine::Part& part : line.parts) say(part.text);
  say(timeOfDay(line.startedAt, clock));
  say(line.caveat);
  return all;
}

VerdictLine asOfNow(VerdictLine line, const SinceThen& since) {
  const std::string whose = line.parts.empty() ? std::string() : line.parts.front().text;
  if (!since.otherKernel.empty())
    line.caveat = fmt::format("This is about {}; {} has not run since.", whose, since.otherKernel);
  else if (!since.nextFailed.empty())
    line.caveat = fmt::format("This is the run before; now {}.", since.nextFailed);
  else if (since.nextIsUnderWay)
    line.caveat = "This is the run before; the next one is under way.";
  else if (since.sourceChanged && line.caveat.empty())
    line.caveat = "The source has changed since.";
  else if (since.sourceChanged)
    line.caveat += " The source has changed since.";
  return line;
}

}  // namespace wb
