// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/figures/case_key.h"
#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

// Figures of the profile stage. Without `only` the tables show every case that was profiled, with a column
// that names it where there are several, and the charts of one case the first of them. A figure with nothing
// to show says in `empty` why: not asked for, refused with the remedy, no GPU.

/// The cases that have a profile, or say why not, in order.
[[nodiscard]] std::vector<CaseKey> profiledCases(const Report& report);
/// "relu 1024×1024 f32", with the kernel's name before it where there are several.
[[nodiscard]] std::string caseTitle(const Report& report, CaseKey key);

/// Section, metric, candidate, reference, difference. A call of several launches has a line for each below
/// the metric, whose own line is the sum where sums mean something, else the longest launch's.
[[nodiscard]] Table metricsTable(const Report& report, OneCase only = {});
/// One row a launch a side: grid, block, registers, memory, waves, occupancy, time.
[[nodiscard]] Table launchesTable(const Report& report, OneCase only = {});
/// One sentence a rule that has something to say, with the line it points to.
[[nodiscard]] Table adviceTable(const Report& report, OneCase only = {});

/// Share of the candidate's samples by what its warps waited for. Of one case.
[[nodiscard]] BarChart stallChart(const Report& report, OneCase only = {});
/// The candidate's source lines by samples, hottest first.
[[nodiscard]] Table hotLinesTable(const Report& report, OneCase only = {});
/// The candidate's machine code in order, with the samples of each instruction where there are some.
[[nodiscard]] Table instructionsTable(const Report& report, OneCase only = {});

/// What-if: how many blocks and warps of each compiled form would be resident at other block sizes, and what
/// would let one more in. Needs no GPU.
[[nodiscard]] Table occupancyTable(const Report& report, OneCase only = {});

/// PTX of the compiled forms, a row a line, with the source line that its ".loc" directives say. Directives
/// that only carry those lines are left out. Needs no GPU.
[[nodiscard]] Table ptxTable(const Report& report, OneCase only = {});

/// What the host and each stream did during one call of each side. Of one case.
[[nodiscard]] TimeChart timelineChart(const Report& report, OneCase only = {});

/// Arithmetic intensity against speed, under what the card reached.
[[nodiscard]] PlaneChart rooflineChart(const Report& report, OneCase only = {});
/// The same in numbers: each point with its share of the roof above it, then the roofs.
[[nodiscard]] Table rooflineTable(const Report& report, OneCase only = {});

/// What PC sampling's reason means: "long scoreboard: waits for global or local memory". The reason itself
/// with blanks for one that is not known.
[[nodiscard]] std::string stallText(std::string_view reason);

/// Samples of one source line of a kernel, for an editor's margin.
struct LineHeat {
  std::string file;  ///< as in the samples; the kernel's own path for its own lines
  int line = 0;
  double share = 0;    ///< of all samples of the case, 0 to 1
  std::string stall;   ///< what its warps waited for most, in words
  std::string stalls;  ///< all that they waited for, a line each
  bool operator==(const LineHeat&) const = default;
};
/// Hottest first; samples of instructions without a line are left out, yet count in the shares.
[[nodiscard]] std::vector<LineHeat> lineHeat(const Report& report, CaseKey key);

}  // namespace wb
