// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/figures/cells.h"
#include "core/figures/columns.h"
#include "core/figures/figures.h"
#include "core/figures/ran.h"
#include "core/figures/verdict/run_speedup.h"
#include "core/figures/verdict/verdict_line.h"

namespace wb {

namespace {

std::string toleranceRow(const Tolerance& tolerance) {
  if (tolerance.preset != "given") return tolerance.preset + " preset, by dtype";
  return toleranceText(tolerance.rtol, tolerance.atol);
}

std::string toolchains(const Report& report) {
  std::set<std::string> names;
  for (const auto& kernel : report.kernels)
    if (kernel->compiled && !kernel->compiled->toolchain.empty()) names.insert(kernel->compiled->toolchain);
  std::string all;
  for (const std::string& one : names) all += (all.empty() ? "" : ", ") + one;
  return all;
}

/// What is said of the timed cases, over all of them.
struct Timed {
  std::set<std::string> clocks, math, ran;
  ConditionRanges ranges;
  int dropped = 0;
  bool cold = false;
};

Timed timedCases(const Report& report) {
  Timed all;
  for (const auto& kernel : report.kernels)
    forEachCase(*kernel, [&](std::size_t, const CaseRow& row) {
      if (!row.timing) return;
      const CaseTiming& timing = *row.timing;
      const std::string time = timeText(timing);
      if (!timing.clock.empty()) all.clocks.insert(time.empty() ? timing.clock : time + ": " + timing.clock);
      if (!timing.math.empty()) all.math.insert(timing.math);
      for (std::string& launch : launchNames(timing)) all.ran.insert(std::move(launch));
      all.ranges.take(timing);
      all.dropped += timing.dropped;
      all.cold = all.cold || timing.caches == CacheState::cold;
    });
  return all;
}

std::string joined(const std::set<std::string>& names, std::size_t most = 8) {
  std::string all;
  std::size_t shown = 0;
  for (const std::string& one : names) {
    if (shown++ == most) return all + fmt::format("; … and {} more", names.size() - most);
    all += (all.empty() ? "" : "; ") + one;
  }
  return all;
}

constexpr double emptied = 0.95;

/// Says whether the caches were empty where a time is called cold.
std::string coldText(const Report& report, bool anyCold) {
  if (!report.ceilings) return anyCold ? "not proved: this GPU has not been measured yet" : "";
  const double evicted = report.ceilings->evicted;
  if (evicted <= 0) return "not proved: whether the L2 cache is emptied could not be measured";
  const std::string text =
      formatPercent(evicted) + " of reads came from memory after the L2 cache was emptied";
  return evicted >= emptied ? text : "not proved: " + text;
}

std::string ceilingsText(const Report& report) {
  if (!report.ceilings) return {};
  const Ceilings& c = *report.ceilings;
  std::string text;
  const auto say = [&text](std::string_view what, double value, std::string_view unit) {
    if (value > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, formatScaled(value, unit));
  };
  say("DRAM", c.dramBytesPerSecond, "B/s");
  say("L2", c.l2BytesPerSecond, "B/s");
  say("FP32", c.fp32, "FLOP/s");
  say("FP16 tensor", c.fp16Tensor, "FLOP/s");
  return text;
}

std::string gpuText(const Target& target) {
  if (target.multiprocessors == 0) return {};
  std::string text = formatCount(target.multiprocessors) + " multiprocessors";
  if (target.l2Bytes > 0) text += ", L2 " + formatBytes(static_cast<double>(target.l2Bytes));
  if (target.memoryBytes > 0) text += ", memory " + formatBytes(static_cast<double>(target.memoryBytes));
  return text;
}

struct Condition {
  std::string_view what;
  std::string value;
};

const std::vector<ColumnOf<Condition>>& environmentColumns() {
  static const std::vector<ColumnOf<Condition>> columns = {
      {{.key = "what", .title = "What", .kind = ColumnKind::name},
       [](const Condition& one) { return textCell(std::string(one.what), Tone::muted); }},
      {{.key = "value", .title = "Value"}, [](const Condition& one) { return textCell(one.value); }},
  };
  return columns;
}

}  // namespace

Table environmentTable(const Report& report) {
  TableOf<Condition> table("environment", "Environment", environmentColumns());
  const auto add = [&table](std::string id, std::string_view what, std::string value) {
    if (!value.empty()) table.add(std::move(id), {what, std::move(value)});
  };
  const Target& target = report.target;
  add("device", "Device", target.device.empty() ? report.device : target.device);
  add("deviceName", "Processor", target.deviceName);
  add("architecture", "Architecture", target.architecture);
  add("gpu", "GPU", gpuText(target));
  add("target", "Target", targetsText(report));
  add("host", "Host", target.host);
  add("walls", "Walls", joined(target.walls, "; "));
  add("torch", "torch", target.torch);
  add("driver", "CUDA driver", target.driver);
  add("toolchain", "Toolchain", toolchains(report));
  add("suite", "Suite", report.suite);
  add("stages", "Stages", text(report.stages));
  add("seed", "Seed", std::to_string(report.seed));
  if (report.stages.has(Stage::check)) add("tolerance", "Tolerance", toleranceRow(report.tolerance));
  if (report.stages.has(Stage::time)) {
    add("timing", "Timing",
        fmt::format("interleaved ABBA blocks, until the 95 % interval is within ±{} or {} a case",
                    formatPercent(report.timing.targetHalfWidth), formatSeconds(report.timing.capSeconds)));
    const Timed timed = timedCases(report);
    add("clock", "Clock", joined(timed.clocks));
    add("clocks", "Clocks of the GPU", clocksText(timed.ranges));
    add("power", "Power, temperature", powerText(timed.ranges));
    add("throttling", "Throttling", throttleText(timed.ranges));
    if (timed.dropped > 0)
      add("dropped", "Left out", plural(timed.dropped, "block", "blocks") + " for a changing clock");
    add("cold", "Cold caches", coldText(report, timed.cold));
    add("math", "Math modes", joined(timed.math));
    add("ran", "Kernels that ran", joined(timed.ran));
  }
  for (const DeviceSpeedup& each : speedupsByDevice(report))
    add("timedOn " + each.device, "Timed on",
        fmt::format("{}: {}, {} as fast ({})", each.device, plural(each.summary.cases, "case", "cases"),
                    formatRatio(each.summary.geomean), intervalText(each.summary.low, each.summary.high)));
  add("ceilings", "Reached by this GPU", ceilingsText(report));
  if (report.stages.has(Stage::profile)) add("counters", "Counters", target.counters);
  add("started", "Started", report.startedAt);
  if (report.outcome != Outcome::running) add("took", "Took", formatSeconds(report.seconds));
  add("outcome", "Outcome", std::string(name(report.outcome)));
  add("version", "Warpbench", WB_VERSION);
  return std::move(table).take({});
}

}  // namespace wb
