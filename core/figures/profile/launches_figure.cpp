// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/columns.h"
#include "core/figures/profile/launch_facts.h"
#include "core/figures/profile/profile_facts.h"

namespace wb {

namespace {

constexpr std::size_t mostLaunches = 200;

/// "1024×4" of [1024, 4, 1].
std::string sizeText(const std::array<int, 3>& size) {
  std::string text = formatCount(size[0]);
  for (std::size_t i = 1; i < 3; ++i) {
    const bool more = size[i] > 1 || (i == 1 && size[2] > 1);
    if (more) text += "×" + formatCount(size[i]);
  }
  return text;
}

Cell sizeCell(const std::array<int, 3>& size, std::int64_t all, std::string_view what) {
  Cell cell = textCell(sizeText(size), Tone::neutral, formatCount(all).append(" ").append(what));
  cell.sort = static_cast<double>(all);
  return cell;
}

Cell bytesCell(std::int64_t bytes, Tone tone, std::string detail = {}) {
  Cell cell =
      textCell(formatBytes(static_cast<double>(bytes)), bytes > 0 ? tone : Tone::muted, std::move(detail));
  cell.sort = static_cast<double>(bytes);
  return cell;
}

Cell shareCell(double fraction, std::string detail = {}) {
  Cell cell = textCell(formatPercent(fraction), Tone::neutral, std::move(detail));
  cell.sort = fraction;
  return cell;
}

std::string occupancyDetail(const Occupancy& o) {
  return fmt::format(
      "{} a multiprocessor, {} of them; limited by {}\nblocks allowed by registers {}, shared memory {}, "
      "warps {}, blocks {}",
      plural(o.blocks, "block", "blocks"), plural(o.warps, "warp", "warps"), o.limiter, o.byRegisters,
      o.byShared, o.byWarps, o.byBlocks);
}

/// One launch, or how many more there are of that side.
struct LaunchLine {
  std::string caseTitle;
  Side side = Side::candidate;
  const Launch* launch = nullptr;
  LaunchFacts facts = {};
  std::size_t more = 0;
};

/// A cell of a launch; empty in the line that counts the others.
template <Cell (*cell)(const LaunchLine&)>
Cell ofLaunch(const LaunchLine& line) {
  return line.launch != nullptr ? cell(line) : Cell{};
}

Cell sideCell(const LaunchLine& line) {
  const bool quiet = line.side == Side::reference || line.launch == nullptr;
  return textCell(std::string(name(line.side)), quiet ? Tone::muted : Tone::neutral);
}

Cell kernelCell(const LaunchLine& line) {
  if (line.launch != nullptr) return textCell(shortName(*line.launch), Tone::neutral, line.launch->kernel);
  return textCell(fmt::format("… and {} more launches", formatCount(static_cast<std::int64_t>(line.more))),
                  Tone::muted);
}

Cell gridCell(const LaunchLine& line) {
  return sizeCell(line.launch->grid, blocksOf(*line.launch), "blocks");
}

Cell blockCell(const LaunchLine& line) {
  return sizeCell(line.launch->block, threadsOf(*line.launch), "threads");
}

Cell registersCell(const LaunchLine& line) {
  return countCell(line.launch->registers);
}

Cell sharedCell(const LaunchLine& line) {
  const Launch& launch = *line.launch;
  return bytesCell(launch.staticShared + launch.dynamicShared, Tone::neutral,
                   fmt::format("{} static, {} dynamic", formatBytes(static_cast<double>(launch.staticShared)),
                               formatBytes(static_cast<double>(launch.dynamicShared))));
}

Cell localCell(const LaunchLine& line) {
  return bytesCell(line.launch->localBytes, Tone::warning,
                   "spilled registers and arrays with computed indices");
}

Cell wavesCell(const LaunchLine& line) {
  if (!line.facts.waves) return {};
  Cell cell = textCell(formatNumber(*line.facts.waves));
  cell.sort = *line.facts.waves;
  return cell;
}

Cell theoreticalCell(const LaunchLine& line) {
  const auto& known = line.facts.occupancy;
  return known ? shareCell(known->fraction, occupancyDetail(*known)) : Cell{};
}

Cell limiterCell(const LaunchLine& line) {
  const auto& known = line.facts.occupancy;
  return textCell(known ? known->limiter : std::string(), Tone::muted);
}

Cell achievedCell(const LaunchLine& line) {
  return line.facts.achieved ? shareCell(*line.facts.achieved) : Cell{};
}

Cell timeCell(const LaunchLine& line) {
  const double seconds = line.launch->seconds > 0 ? line.launch->seconds : secondsOf(*line.launch);
  return seconds > 0 ? secondsCell(seconds) : Cell{};
}

const std::vector<ColumnOf<LaunchLine>>& launchColumns() {
  using Kind = ColumnKind;
  static const std::vector<ColumnOf<LaunchLine>> columns = {
      caseColumn<LaunchLine>(),
      {{.key = "side", .title = "Side", .meaning = "Candidate or reference", .kind = Kind::group}, sideCell},
      {{.key = "kernel", .title = "Kernel", .meaning = "What was launched, in order", .kind = Kind::name},
       kernelCell},
      {{.key = "grid", .title = "Grid", .meaning = "Blocks", .kind = Kind::number, .rank = 1},
       ofLaunch<gridCell>},
      {{.key = "block", .title = "Block", .meaning = "Threads of a block", .kind = Kind::number, .rank = 1},
       ofLaunch<blockCell>},
      {{.key = "registers", .title = "Registers", .meaning = "Per thread", .kind = Kind::number, .rank = 2},
       ofLaunch<registersCell>},
      {{.key = "shared",
        .title = "Shared",
        .meaning = "Shared memory of a block, static and dynamic",
        .kind = Kind::number,
        .unit = "B",
        .rank = 2},
       ofLaunch<sharedCell>},
      {{.key = "local",
        .title = "Local",
        .meaning = "Local memory of a thread: spilled registers and arrays",
        .kind = Kind::number,
        .unit = "B",
        .better = Better::lower,
        .rank = 4},
       ofLaunch<localCell>},
      {{.key = "waves",
        .title = "Waves",
        .meaning =
            "Blocks of the grid over what the GPU holds at once; a little over a whole number leaves a tail",
        .kind = Kind::number,
        .rank = 3,
        .lead = 4},
       ofLaunch<wavesCell>},
      {{.key = "theoretical",
        .title = "Occupancy",
        .meaning = "Warps that can be resident, of those that a multiprocessor holds",
        .kind = Kind::share,
        .rank = 3,
        .lead = 2},
       ofLaunch<theoreticalCell>},
      {{.key = "limiter",
        .title = "Limited by",
        .meaning = "What keeps more blocks from being resident",
        .rank = 4},
       ofLaunch<limiterCell>},
      {{.key = "achieved",
        .title = "Achieved",
        .meaning = "Warps that were resident, over the time it ran",
        .kind = Kind::share,
        .rank = 4,
        .lead = 3},
       ofLaunch<achievedCell>},
      {{.key = "seconds",
        .title = "Time",
        .meaning = "On the device",
        .kind = Kind::number,
        .unit = "s",
        .better = Better::lower,
        .hasEarlier = true,
        .lead = 1},
       ofLaunch<timeCell>},
  };
  return columns;
}

}  // namespace

Table launchesTable(const Report& report, OneCase only) {
  const std::vector<ProfiledCase> cases = casesWithData(report, only);
  TableOf<LaunchLine> table("launches", countedTitle("Launches", cases), forCases(launchColumns(), cases));
  for (const ProfiledCase& one : cases)
    for (const Side side : {Side::candidate, Side::reference}) {
      const std::vector<Launch>& launches = one.side(side).launches;
      LaunchLine line{countedCaseTitle(report, one, cases), side};
      for (std::size_t i = 0; i < std::min(launches.size(), mostLaunches); ++i) {
        line.launch = &launches[i];
        line.facts = factsOf(report.target, launches[i]);
        table.add(fmt::format("{}/{}/{}", one.rowId(), name(side), i), line);
      }
      if (launches.size() <= mostLaunches) continue;
      line.launch = nullptr;
      line.more = launches.size() - mostLaunches;
      table.add(fmt::format("{}/{}/more", one.rowId(), name(side)), line);
    }
  return std::move(table).take(whyEmpty(report, Need::launches, only));
}

}  // namespace wb
