// SPDX-License-Identifier: Apache-2.0
#include "core/figures/verdict/run_speedup.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/model/pace.h"
#include "core/model/plan/not_timed.h"

namespace wb {

namespace {

/// Whether kernels compete: kernels of one operator do; kernels of different operators make one suite.
bool compete(const Report& report) {
  std::set<std::string> ops;
  for (const auto& kernel : report.kernels)
    if (!ops.insert(kernelOperator(*kernel)).second) return true;
  return false;
}

void add(TimedCases& all, const TimedCases& some) {
  all.speedups.insert(all.speedups.end(), some.speedups.begin(), some.speedups.end());
  all.leftOut += some.leftOut;
}

}  // namespace

std::vector<DeviceSpeedup> speedupsByDevice(const Report& report) {
  // The report's own is "", which comes first.
  std::map<std::string, std::vector<Speedup>> each;
  for (const auto& kernel : report.kernels)
    if (scored(report, *kernel))
      forEachCase(*kernel, [&](std::size_t, const CaseRow& row) {
        if (row.timing && hasInterval(row.timing->speedup))
          each[row.timing->device].push_back(row.timing->speedup);
      });
  std::vector<DeviceSpeedup> all;
  if (each.size() < 2) return all;
  for (const auto& [device, some] : each)
    all.push_back({device.empty() ? report.target.deviceName : device, summarize(some)});
  return all;
}

std::string devicesText(const Report& report) {
  std::string text;
  for (const DeviceSpeedup& each : speedupsByDevice(report))
    text +=
        fmt::format("{}{} on {}", text.empty() ? "" : ", ", formatRatio(each.summary.geomean), each.device);
  return text;
}

void TimedCases::take(const CaseRow& row) {
  if (row.timing && hasInterval(row.timing->speedup)) {
    speedups.push_back(row.timing->speedup);
    return;
  }
  // Cases are also timed without being checked.
  if (row.timing) leftOut += tally(row.check.verdict) != Tally::fail ? 1 : 0;
  if (row.timing || row.check.verdict != Verdict::pass) return;
  const bool isEmpty = row.notTimed == nothingToTime;
  leftOut += row.notTimed.empty() || isEmpty ? 0 : 1;
}

std::optional<SpeedupSummary> TimedCases::summary() const {
  return speedups.empty() || areTooFew() ? std::nullopt : std::optional(summarize(speedups));
}

std::string TimedCases::tooFewText() const {
  return fmt::format("{} of {} have no time that counts", formatCount(leftOut),
                     plural(leftOut + std::ssize(speedups), "case", "cases"));
}

std::string leftOutText(const RunSpeedup& speedup) {
  return speedup.leftOut == 0 ? std::string() : plural(speedup.leftOut, "case", "cases") + " left out";
}

TimedCases timedCases(const KernelReport& kernel) {
  TimedCases timed;
  timed.speedups.reserve(static_cast<std::size_t>(std::max(kernel.counts.timed, 0)));
  forEachCase(kernel, [&](std::size_t, const CaseRow& row) { timed.take(row); });
  return timed;
}

RunSpeedup runSpeedup(const Report& report) {
  RunSpeedup found;
  found.isOfTheBest = compete(report);
  TimedCases chosen;
  double best = 0;
  for (std::size_t k = 0; k < report.kernels.size(); ++k) {
    if (!scored(report, *report.kernels[k])) {
      ++found.unscored;
      continue;
    }
    TimedCases timed = timedCases(*report.kernels[k]);
    if (!found.isOfTheBest) {
      add(chosen, timed);
      continue;
    }
    // Where none has enough times, the first one says why.
    const double geomean = timed.areTooFew() ? 0 : summarize(timed.speedups).geomean;
    if (geomean <= best && (best > 0 || chosen.leftOut > 0)) continue;
    best = geomean;
    chosen = std::move(timed);
    found.whose = kernelLabel(report, k);
  }
  found.leftOut = chosen.leftOut;
  // Where no case was timed at all, others say why in words of their own.
  if (chosen.areTooFew() && !chosen.speedups.empty()) found.whyNone = chosen.tooFewText();
  const std::optional<SpeedupSummary> summary = chosen.summary();
  if (!summary) return found;
  found.summary = *summary;
  found.pace = chosen.speedups.size() == 1 ? chosen.speedups.front().pace
                                           : judge(found.summary.low, found.summary.high);
  return found;
}

}  // namespace wb
