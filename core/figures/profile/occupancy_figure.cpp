// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/columns.h"
#include "core/figures/profile/launch_facts.h"
#include "core/figures/profile/profile_facts.h"

namespace wb {

namespace {

constexpr std::array blockSizes = {32, 64, 128, 192, 256, 384, 512, 768, 1024};

/// The resources of a compiled form; forms with the same resources are one.
struct Form {
  std::string label, architecture;
  /// Its launch in the profile, where it was launched; points into the report.
  const Launch* launch = nullptr;
  int registers = 0;
  std::int64_t shared = 0;
  /// The threads of a block, where it was launched; 0 when unknown.
  int launchedWith = 0;
};

/// The block size that the main launch of a kernel's profile had, and its dynamic shared memory.
const Launch* launchOf(const std::vector<ProfiledCase>& cases, std::size_t kernel, const std::string& name) {
  for (const ProfiledCase& one : cases) {
    if (one.at.kernel != kernel) continue;
    for (const Launch& launch : one.profile->candidate.launches)
      if (launch.function == name || shortName(launch) == name) return &launch;
  }
  return nullptr;
}

std::vector<Form> formsOf(const KernelReport& kernel, std::size_t index,
                          const std::vector<ProfiledCase>& cases) {
  std::vector<Form> forms;
  if (!kernel.compiled) return forms;
  for (const Artifact& artifact : kernel.compiled->artifacts) {
    if (artifact.registers <= 0 || !limitsOf(artifact.architecture)) continue;
    const Launch* launch = launchOf(cases, index, artifact.name);
    const std::int64_t dynamic = launch == nullptr ? 0 : launch->dynamicShared;
    const std::int64_t shared = artifact.sharedBytes + dynamic;
    const auto same = std::find_if(forms.begin(), forms.end(), [&](const Form& form) {
      return form.registers == artifact.registers && form.shared == shared &&
             form.architecture == artifact.architecture && form.label.starts_with(artifact.name);
    });
    if (same != forms.end()) {
      if (!artifact.dtype.empty()) same->label += ", " + artifact.dtype;
      continue;
    }
    std::string label = artifact.name;
    if (!artifact.dtype.empty()) label += " " + artifact.dtype;
    forms.push_back({std::move(label), artifact.architecture, launch, artifact.registers, shared,
                     launch == nullptr ? 0 : threadsOf(*launch)});
  }
  return forms;
}

/// The change that would let one more block in: fewer registers, or less shared memory.
std::string oneMore(const MultiprocessorLimits& limits, const Form& form, int threads, const Occupancy& now) {
  for (int registers = form.registers - 1; registers >= 16; --registers)
    if (occupancy(limits, threads, registers, form.shared).blocks > now.blocks)
      return fmt::format("{} registers a thread", registers);
  for (std::int64_t shared = form.shared - limits.sharedUnit; shared >= 0; shared -= limits.sharedUnit)
    if (occupancy(limits, threads, form.registers, shared).blocks > now.blocks)
      return formatBytes(static_cast<double>(shared)) + " of shared memory";
  return {};
}

/// One form at one block size.
struct FormLine {
  const Form& form;
  int threads = 0;
  Occupancy now;
  std::string more;
  [[nodiscard]] bool isLaunched() const { return threads == form.launchedWith; }
};

const std::vector<ColumnOf<FormLine>>& occupancyColumns() {
  using Kind = ColumnKind;
  using Line = const FormLine&;
  static const std::vector<ColumnOf<FormLine>> columns = {
      {{.key = "function", .title = "Kernel", .meaning = "Compiled form", .kind = Kind::group},
       [](Line line) {
         return textCell(
             line.form.label, Tone::neutral,
             fmt::format("{} registers a thread, {} of shared memory a block, {}", line.form.registers,
                         formatBytes(static_cast<double>(line.form.shared)), line.form.architecture));
       }},
      {{.key = "threads", .title = "Block", .meaning = "Threads of a block", .kind = Kind::number},
       [](Line line) {
         Cell cell = countCell(line.threads);
         cell.detail = line.isLaunched() ? "as it was launched" : "";
         return cell;
       }},
      {{.key = "blocks",
        .title = "Blocks",
        .meaning = "That a multiprocessor holds at once; 0: it cannot be launched",
        .kind = Kind::number},
       [](Line line) {
         return countCell(line.now.blocks, line.now.blocks == 0 ? Tone::bad : Tone::neutral);
       }},
      {{.key = "warps",
        .title = "Warps",
        .meaning = "That a multiprocessor holds at once",
        .kind = Kind::number,
        .rank = 3},
       [](Line line) { return countCell(line.now.warps); }},
      {{.key = "share", .title = "Occupancy", .meaning = "Of the warps that fit", .kind = Kind::share},
       [](Line line) {
         Cell cell = textCell(formatPercent(line.now.fraction));
         cell.sort = line.now.fraction;
         return cell;
       }},
      {{.key = "limiter", .title = "Limited by", .meaning = "What keeps more blocks out", .rank = 1},
       [](Line line) { return textCell(line.now.limiter, Tone::muted); }},
      {{.key = "more",
        .title = "One block more with",
        .meaning = "The smallest change that lets one more in",
        .rank = 2},
       [](Line line) { return textCell(line.more, Tone::muted); }},
      {{.key = "note", .title = "Note", .kind = Kind::note, .rank = 2},
       [](Line line) { return textCell(line.isLaunched() ? "launched so" : std::string(), Tone::good); }},
  };
  return columns;
}

void addForm(TableOf<FormLine>& table, const Form& form, std::size_t kernel, std::size_t number) {
  const MultiprocessorLimits limits = *limitsOf(form.architecture);
  std::vector<int> sizes(blockSizes.begin(), blockSizes.end());
  if (form.launchedWith > 0 && std::find(sizes.begin(), sizes.end(), form.launchedWith) == sizes.end())
    sizes.push_back(form.launchedWith);
  std::sort(sizes.begin(), sizes.end());
  for (const int threads : sizes) {
    const Occupancy now = occupancy(limits, threads, form.registers, form.shared);
    table.add(fmt::format("{}/{}/{}", kernel, number, threads),
              {form, threads, now, oneMore(limits, form, threads, now)});
  }
}

}  // namespace

Table occupancyTable(const Report& report, OneCase only) {
  TableOf<FormLine> table("occupancy", "Occupancy by block size", occupancyColumns());
  const std::vector<ProfiledCase> cases = casesWithData(report, only);
  if (report.stages.has(Stage::profile))
    for (std::size_t k = 0; k < report.kernels.size(); ++k) {
      if (only && only->kernel != k) continue;
      std::size_t number = 0;
      for (const Form& form : formsOf(*report.kernels[k], k, cases)) addForm(table, form, k, number++);
    }
  return std::move(table).take(report.stages.has(Stage::profile)
                                   ? "No compiled form says how many registers it takes"
                                   : whyEmpty(report, Need::launches, only));
}

namespace {

/// More curves than these cannot be told apart.
constexpr std::size_t mostCurves = 4;

void addCurve(PlaneChart& chart, const Form& form, int series) {
  const MultiprocessorLimits limits = *limitsOf(form.architecture);
  ChartLine line{.label = form.label, .points = {}, .dashed = false, .series = series};
  constexpr int warp = 32, most = 1024;
  double before = 0;
  for (int threads = warp; threads <= most; threads += warp) {
    const double share = occupancy(limits, threads, form.registers, form.shared).fraction;
    if (threads > warp) line.points.emplace_back(threads, before);  // it changes in steps
    line.points.emplace_back(threads, share);
    before = share;
  }
  chart.lines.push_back(std::move(line));
  if (form.launch == nullptr) return;
  const auto threads = static_cast<double>(form.launchedWith);
  const Occupancy launched = occupancy(limits, form.launchedWith, form.registers, form.shared);
  const auto add = [&](std::string label, double share, const std::string& what) {
    chart.points.push_back({.x = threads,
                            .y = share,
                            .label = std::move(label),
                            .detail = fmt::format("{}: {} {} at {} threads a block", form.label, what,
                                                  formatPercent(share), form.launchedWith),
                            .tone = Tone::neutral,
                            .low = share,
                            .high = share,
                            .series = series});
  };
  add("as launched", launched.fraction, "could reach");
  if (const auto achieved = metricOf(*form.launch, "sm__warps_active.avg.pct_of_peak_sustained_active"))
    add("achieved", *achieved / 100, "achieved");
}

}  // namespace

PlaneChart occupancyChart(const Report& report, OneCase only) {
  PlaneChart chart;
  chart.id = "occupancy-chart";
  chart.title = "Occupancy over the size of the block";
  chart.x = {"Threads of a block", "", false};
  chart.y = {"Warps that are resident, of those that fit", "%", false};
  if (!report.stages.has(Stage::profile)) {
    chart.empty = whyEmpty(report, Need::launches, only);
    return chart;
  }
  const std::vector<ProfiledCase> cases = casesWithData(report, only);
  for (std::size_t k = 0; k < report.kernels.size(); ++k) {
    if (only && only->kernel != k) continue;
    for (const Form& form : formsOf(*report.kernels[k], k, cases))
      if (chart.lines.size() < mostCurves) addCurve(chart, form, static_cast<int>(chart.lines.size()));
  }
  if (chart.lines.empty()) chart.empty = "No compiled form says how many registers it takes";
  return chart;
}

}  // namespace wb
