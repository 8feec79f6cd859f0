// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/columns.h"
#include "core/history/history.h"

namespace wb {
namespace {

/// A run, and the time from which it is looked at.
struct Row {
  const KeptRun& run;
  std::int64_t now;
};

std::tm localTime(std::int64_t milliseconds) {
  const std::time_t seconds = milliseconds / 1000;
  std::tm local{};
  ::localtime_r(&seconds, &local);
  return local;
}

// "14:02" today, else "2026-11-22 14:02".
Cell whenCell(const Row& row) {
  const std::tm then = localTime(row.run.when), today = localTime(row.now);
  std::string text = fmt::format("{:02}:{:02}", then.tm_hour, then.tm_min);
  if (then.tm_year != today.tm_year || then.tm_yday != today.tm_yday)
    text = fmt::format("{:04}-{:02}-{:02} {}", then.tm_year + 1900, then.tm_mon + 1, then.tm_mday, text);
  Cell cell = textCell(text);
  cell.sort = double(row.run.when);
  return cell;
}

Cell rightCell(const Row& row) {
  const KeptRun& run = row.run;
  Cell cell = textCell(fmt::format("{} of {}", run.passed, run.total));
  cell.sort = run.total > 0 ? double(run.passed) / run.total : 0;
  return cell;
}

Cell speedupCell(const Row& row) {
  const KeptRun& run = row.run;
  if (run.speedup <= 0) return textCell("–", Tone::muted);
  SpeedupSummary summary;
  summary.geomean = run.speedup;
  summary.low = run.low;
  summary.high = run.high;
  return ratioCell(run.speedup, toneOf(summary), intervalText(run.low, run.high));
}

Cell outcomeCell(const Row& row) {
  switch (row.run.outcome) {
    case Outcome::running:
      return textCell("unfinished", Tone::muted);
    case Outcome::finished:
      return textCell("finished", Tone::muted);
    case Outcome::cancelled:
      return textCell("cancelled", Tone::warning);
    case Outcome::workerLost:
      break;
  }
  return textCell("worker lost", Tone::bad);
}

Cell bytesCell(const Row& row) {
  Cell cell = textCell(formatBytes(double(row.run.bytes)));
  cell.sort = double(row.run.bytes);
  return cell;
}

std::vector<ColumnOf<Row>> columns() {
  return {
      {{.key = "when", .title = "When", .meaning = "When the run ended"}, whenCell},
      {{.key = "kernel",
        .title = "Kernel",
        .meaning = "The kernel and its operator",
        .kind = ColumnKind::name},
       [](const Row& row) { return textCell(row.run.title); }},
      {{.key = "right",
        .title = "Right",
        .meaning = "How many cases passed, of how many",
        .kind = ColumnKind::number,
        .better = Better::higher},
       rightCell},
      {{.key = "speedup",
        .title = "Speedup",
        .meaning = "The geometric mean over the timed cases",
        .kind = ColumnKind::number,
        .unit = "×",
        .better = Better::higher},
       speedupCell},
      {{.key = "suite", .title = "Suite"}, [](const Row& row) { return textCell(row.run.suite); }},
      {{.key = "device", .title = "Device"}, [](const Row& row) { return textCell(row.run.device); }},
      {{.key = "outcome", .title = "Outcome", .meaning = "Whether the run came to its end", .rank = 1},
       outcomeCell},
      {{.key = "pinned", .title = "Pinned", .meaning = "It stays, however many runs follow", .rank = 1},
       [](const Row& row) { return textCell(row.run.pinned ? "pinned" : ""); }},
      {{.key = "size",
        .title = "Size",
        .meaning = "What the report takes on disk",
        .kind = ColumnKind::number,
        .unit = "B",
        .rank = 2},
       bytesCell},
  };
}

}  // namespace

Table historyTable(const std::vector<KeptRun>& runs, std::int64_t now) {
  TableOf<Row> table("history", "History", columns());
  for (const KeptRun& run : runs) table.add(run.id, Row{run, now});
  return std::move(table).take(
      "Nothing was run yet. Every run is kept here, with its source and its report.");
}

}  // namespace wb
