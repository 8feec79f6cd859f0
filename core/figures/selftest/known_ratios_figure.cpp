// SPDX-License-Identifier: Apache-2.0
#include "core/figures/selftest/known_ratios_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>

#include "core/base/quantity.h"
#include "core/figures/columns.h"
#include "core/model/selftest/spin_ratios.h"

namespace wb {
namespace {

/// The cycles in the arguments of a case: "((T([4096], f32), 1980), {})" → 1980.
std::int64_t cyclesOf(const Case& definition) {
  const std::size_t at = definition.args.rfind("), {}");
  const std::size_t comma = definition.args.rfind(", ", at);
  return comma == std::string::npos ? 0 : std::strtoll(definition.args.c_str() + comma + 2, nullptr, 10);
}

template <class Visit>
void forEachTiming(const Report& report, Visit&& visit) {
  for (const auto& each : report.kernels) {
    const KernelReport& kernel = *each;
    const auto* ratio = std::find_if(spinRatios.begin(), spinRatios.end(), [&](const SpinRatio& known) {
      return spinPath(known) == kernel.source.path;
    });
    if (ratio == spinRatios.end()) continue;
    for (std::size_t i = 0; i < kernel.cases.size(); ++i)
      if (kernel.cases[i].timing)
        visit(*ratio, cyclesOf(kernel.cases[i].definition), *kernel.cases[i].timing);
  }
}

void take(KnownRow& row, const SpinRatio& ratio, const CaseTiming& timing, double truth) {
  const Speedup& speedup = timing.speedup;
  if (ratio.isSmall()) {
    const auto which = static_cast<std::size_t>(ratio.over == 101 ? 0 : ratio.over == 102 ? 1 : 2);
    row.right.resize(3);
    row.right[which] += speedup.low > 1 ? 1 : 0;
    row.tries += which == 0 ? 1 : 0;
    return;
  }
  ++row.count;
  row.worst = std::max(row.worst, std::abs(speedup.ratio / truth - 1));
  row.covered += speedup.low <= truth && truth <= speedup.high ? 1 : 0;
}

}  // namespace

Result<KnownRatios> knownRatios(const Report& report) {
  KnownRatios known;
  std::vector<double> empty, hertz;
  forEachTiming(report, [&](const SpinRatio&, std::int64_t cycles, const CaseTiming& timing) {
    if (cycles == 0) empty.insert(empty.end(), {timing.reference, timing.candidate});
    for (const Conditions& block : timing.conditions)
      if (block.smHertz > 0) hertz.push_back(block.smHertz);
  });
  known.empty = median(std::move(empty));
  known.hertz = hertz.empty() ? spinCyclesPerMicrosecond * 1e6 : median(std::move(hertz));
  if (known.empty <= 0) return Error{Stage::time, "no kernel of length 0 was timed"};
  std::map<std::int64_t, KnownRow> rows;
  std::map<std::int64_t, std::vector<double>> said;
  forEachTiming(report, [&](const SpinRatio& ratio, std::int64_t cycles, const CaseTiming& timing) {
    if (cycles == 0) return;
    const auto seconds = [&](std::int64_t wait) {
      const double hertz = wait >= spinByTimer ? spinCyclesPerMicrosecond * 1e6 : known.hertz;
      return static_cast<double>(wait) / hertz + known.empty;
    };
    KnownRow& row = rows[cycles];
    row.seconds = seconds(cycles) - known.empty;
    row.time = timing.time;
    if (timing.caches != CacheState::unknown) row.time += fmt::format(", {}", name(timing.caches));
    said[cycles].push_back(timing.reference);
    take(row, ratio, timing, seconds(cycles) / seconds(ratio.candidate(cycles)));
  });
  for (auto& [cycles, row] : rows) {
    row.said = median(said[cycles]);
    known.rows.push_back(row);
  }
  return known;
}

namespace {

Cell numberCell(std::string text, double sort) {
  Cell cell;
  cell.text = std::move(text);
  cell.sort = sort;
  return cell;
}

/// How often the i-th of the small advantages was seen.
template <std::size_t i>
Cell seenCell(const KnownRow& line) {
  const int right = i < line.right.size() ? line.right[i] : 0;
  return numberCell(fmt::format("{} of {}", right, line.tries), right);
}

const std::vector<ColumnOf<KnownRow>>& ratioColumns() {
  using Kind = ColumnKind;
  using Line = const KnownRow&;
  static const std::vector<ColumnOf<KnownRow>> columns = {
      {{.title = "Waits", .meaning = "What the reference waits", .kind = Kind::number, .unit = "s"},
       [](Line line) { return numberCell(formatSeconds(line.seconds), line.seconds); }},
      {{.title = "Said",
        .meaning = "The reference's time, what a kernel takes that waits no longer than it must included",
        .kind = Kind::number,
        .unit = "s"},
       [](Line line) { return numberCell(formatSeconds(line.said), line.said); }},
      {{.title = "Worst error",
        .meaning = "Largest |speedup said / true − 1| of ratios 0.25, 0.5, 0.9, 1.1, 2, 4",
        .kind = Kind::number,
        .better = Better::lower},
       [](Line line) { return line.count > 0 ? numberCell(formatPercent(line.worst), line.worst) : Cell{}; }},
      {{.title = "Covers the truth",
        .meaning = "Intervals that hold the true speedup; 95 % should",
        .kind = Kind::number,
        .better = Better::higher},
       [](Line line) {
         const std::string covered = line.count > 0 ? fmt::format("{} of {}", line.covered, line.count) : "";
         return numberCell(covered, line.covered);
       }},
      {{.title = "1.01 seen",
        .meaning = "Intervals that lie above 1 where the truth is 1.01",
        .kind = Kind::number,
        .better = Better::higher},
       seenCell<0>},
      {{.title = "1.02 seen", .meaning = "… 1.02", .kind = Kind::number, .better = Better::higher},
       seenCell<1>},
      {{.title = "1.05 seen", .meaning = "… 1.05", .kind = Kind::number, .better = Better::higher},
       seenCell<2>},
      {{.title = "Time", .meaning = "Which time it is"}, [](Line line) { return numberCell(line.time, 0); }},
  };
  return columns;
}

}  // namespace

Table knownRatioTable(const KnownRatios& known) {
  TableOf<KnownRow> table("known-ratios", "Known ratios", ratioColumns());
  for (const KnownRow& row : known.rows) table.add(fmt::format("{:.3g}", row.seconds), row);
  return std::move(table).take("Nothing was timed.");
}

}  // namespace wb
