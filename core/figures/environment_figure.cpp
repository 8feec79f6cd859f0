// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <set>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/figures.h"

namespace wb {

namespace {

std::string stagesText(const Stages& stages) {
  std::string text = "compile";
  if (stages.check) text += ", check";
  if (stages.time) text += ", time";
  if (stages.profile) text += ", profile";
  return text;
}

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

/// What the timer read, with the number of cases where they differ.
std::string clocks(const Report& report) {
  std::set<std::string> names;
  for (const auto& kernel : report.kernels)
    forEachCase(*kernel, [&](std::size_t, const CaseRow& row) {
      if (row.timing && !row.timing->clock.empty()) names.insert(row.timing->clock);
    });
  std::string all;
  for (const std::string& one : names) all += (all.empty() ? "" : "; ") + one;
  return all;
}

}  // namespace

Table environmentTable(const Report& report) {
  Table table;
  table.id = "environment";
  table.title = "Environment";
  table.columns = {{"what", "What", false, ""}, {"value", "Value", false, ""}};
  const auto add = [&table](std::string_view id, std::string_view what, std::string value) {
    if (value.empty()) return;
    table.rows.push_back({textCell(std::string(what), Tone::muted), textCell(std::move(value))});
    table.rowIds.emplace_back(id);
  };
  const Target& target = report.target;
  add("device", "Device", target.device.empty() ? report.device : target.device);
  add("deviceName", "Processor", target.deviceName);
  add("architecture", "Architecture", target.architecture);
  add("host", "Host", target.host);
  add("torch", "torch", target.torch);
  add("driver", "CUDA driver", target.driver);
  add("toolchain", "Toolchain", toolchains(report));
  add("suite", "Suite", report.suite);
  add("stages", "Stages", stagesText(report.stages));
  add("seed", "Seed", std::to_string(report.seed));
  if (report.stages.check) add("tolerance", "Tolerance", toleranceRow(report.tolerance));
  if (report.stages.time) {
    add("timing", "Timing",
        fmt::format("interleaved ABBA blocks, until the 95 % interval is within ±{} or {} a case",
                    formatPercent(report.timing.targetHalfWidth), formatSeconds(report.timing.capSeconds)));
    add("clock", "Clock", clocks(report));
  }
  add("started", "Started", report.startedAt);
  if (report.outcome != Outcome::running) add("took", "Took", formatSeconds(report.seconds));
  add("outcome", "Outcome", std::string(name(report.outcome)));
  add("version", "Warpbench", WB_VERSION);
  return table;
}

}  // namespace wb
