// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/profile/launch_facts.h"
#include "core/figures/profile/profile_facts.h"

namespace wb {

int threadsOf(const Launch& launch) {
  return launch.block[0] * std::max(launch.block[1], 1) * std::max(launch.block[2], 1);
}

std::int64_t blocksOf(const Launch& launch) {
  return std::int64_t{launch.grid[0]} * std::max(launch.grid[1], 1) * std::max(launch.grid[2], 1);
}

LaunchFacts factsOf(const Target& target, const Launch& launch) {
  LaunchFacts facts;
  facts.achieved = metricOf(launch, "sm__warps_active.avg.pct_of_peak_sustained_active");
  if (facts.achieved) *facts.achieved /= 100;
  const auto limits = limitsOf(target.architecture);
  if (!limits || threadsOf(launch) <= 0) return facts;
  facts.occupancy =
      occupancy(*limits, threadsOf(launch), launch.registers, launch.staticShared + launch.dynamicShared);
  if (target.multiprocessors > 0 && facts.occupancy->blocks > 0)
    facts.waves = waves(blocksOf(launch), facts.occupancy->blocks, target.multiprocessors);
  return facts;
}

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
  cell.bar = std::clamp(fraction, 0.0, 1.0);
  return cell;
}

std::string occupancyDetail(const Occupancy& o) {
  return fmt::format(
      "{} a multiprocessor, {} of them; limited by {}\nblocks allowed by registers {}, shared memory {}, "
      "warps {}, blocks {}",
      plural(o.blocks, "block", "blocks"), plural(o.warps, "warp", "warps"), o.limiter, o.byRegisters,
      o.byShared, o.byWarps, o.byBlocks);
}

void addRow(Table& table, const Report& report, const ProfiledCase& one, Side side, std::size_t i,
            const std::string* title) {
  const Launch& launch = one.side(side).launches[i];
  const LaunchFacts facts = factsOf(report.target, launch);
  std::vector<Cell> cells;
  if (title != nullptr) cells.push_back(textCell(*title));
  cells.push_back(textCell(std::string(name(side)), side == Side::candidate ? Tone::neutral : Tone::muted));
  cells.push_back(textCell(shortName(launch), Tone::neutral, launch.kernel));
  cells.push_back(sizeCell(launch.grid, blocksOf(launch), "blocks"));
  cells.push_back(sizeCell(launch.block, threadsOf(launch), "threads"));
  cells.push_back(countCell(launch.registers));
  cells.push_back(
      bytesCell(launch.staticShared + launch.dynamicShared, Tone::neutral,
                fmt::format("{} static, {} dynamic", formatBytes(static_cast<double>(launch.staticShared)),
                            formatBytes(static_cast<double>(launch.dynamicShared)))));
  cells.push_back(
      bytesCell(launch.localBytes, Tone::warning, "spilled registers and arrays with computed indices"));
  Cell wavesCell;
  if (facts.waves) {
    wavesCell = textCell(formatNumber(*facts.waves));
    wavesCell.sort = *facts.waves;
  }
  cells.push_back(std::move(wavesCell));
  const bool known = facts.occupancy.has_value();
  cells.push_back(known ? shareCell(facts.occupancy->fraction, occupancyDetail(*facts.occupancy)) : Cell{});
  cells.push_back(textCell(known ? facts.occupancy->limiter : std::string(), Tone::muted));
  cells.push_back(facts.achieved ? shareCell(*facts.achieved) : Cell{});
  const double seconds = launch.seconds > 0 ? launch.seconds : secondsOf(launch);
  cells.push_back(seconds > 0 ? secondsCell(seconds) : Cell{});
  table.rows.push_back(std::move(cells));
  table.rowIds.push_back(fmt::format("{}/{}/{}", one.rowId(), name(side), i));
}

void addMore(Table& table, const ProfiledCase& one, Side side, std::size_t more) {
  std::vector<Cell> cells(table.columns.size());
  const std::size_t kernel = table.columns.front().key == "case" ? 2 : 1;
  cells[kernel - 1] = textCell(std::string(name(side)), Tone::muted);
  cells[kernel] = textCell(
      fmt::format("… and {} more launches", formatCount(static_cast<std::int64_t>(more))), Tone::muted);
  table.rows.push_back(std::move(cells));
  table.rowIds.push_back(fmt::format("{}/{}/more", one.rowId(), name(side)));
}

}  // namespace

Table launchesTable(const Report& report, OneCase only) {
  Table table;
  table.id = "launches";
  table.columns = {
      {"side", "Side", false, "Candidate or reference"},
      {"kernel", "Kernel", false, "What was launched, in order"},
      {"grid", "Grid", true, "Blocks", 1},
      {"block", "Block", true, "Threads of a block", 1},
      {"registers", "Registers", true, "Per thread", 2},
      {"shared", "Shared", true, "Shared memory of a block, static and dynamic", 2},
      {"local", "Local", true, "Local memory of a thread: spilled registers and arrays", 4},
      {"waves", "Waves", true,
       "Blocks of the grid over what the GPU holds at once; a little over a whole number leaves a tail", 3},
      {"theoretical", "Occupancy", true, "Warps that can be resident, of those that a multiprocessor holds",
       3},
      {"limiter", "Limited by", false, "What keeps more blocks from being resident", 4},
      {"achieved", "Achieved", true, "Warps that were resident, over the time it ran", 4},
      {"seconds", "Time", true, "On the device"}};
  const std::vector<ProfiledCase> cases = casesWithData(report, only);
  table.title = countedTitle("Launches", cases);
  const bool several = cases.size() > 1;
  addCaseColumn(table, several);
  for (const ProfiledCase& one : cases) {
    const std::string title = countedCaseTitle(report, one, cases);
    for (const Side side : {Side::candidate, Side::reference}) {
      const std::size_t launches = one.side(side).launches.size();
      for (std::size_t i = 0; i < std::min(launches, mostLaunches); ++i)
        addRow(table, report, one, side, i, several ? &title : nullptr);
      if (launches > mostLaunches) addMore(table, one, side, launches - mostLaunches);
    }
  }
  if (table.rows.empty()) table.empty = whyEmpty(report, Need::launches, only);
  return table;
}

}  // namespace wb
