// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/figures/case_key.h"
#include "core/figures/compare/earlier.h"
#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

// These are the figures of the profile stage. Without `only` the tables show every case that was profiled,
// with a column that names it where there are several; the charts, which show one case, show the first. A
// figure with nothing to show says in `empty` why: nobody asked for it, it was refused (with the remedy),
// there is no GPU.

/// The cases that have a profile, or say why not, in order.
[[nodiscard]] std::vector<CaseKey> profiledCases(const Report& report);
/// "relu 1024×1024 f32", with the kernel's name before it where there are several.
[[nodiscard]] std::string caseTitle(const Report& report, CaseKey key);

/// Section, metric, candidate, reference, difference. A call of several launches has a line for each of them
/// below the metric; the metric's own line has the sum where sums mean something, else the value of the
/// longest launch.
[[nodiscard]] Table metricsTable(const Report& report, OneCase only = {});
/// One row per launch and side: grid, block, registers, memory, waves, occupancy, time.
[[nodiscard]] Table launchesTable(const Report& report, OneCase only = {});
/// One sentence per rule that has something to say, with the line to which it points.
[[nodiscard]] Table adviceTable(const Report& report, OneCase only = {});

/// The shares of one case's samples of the candidate by what its warps waited for: of all of it, and of its
/// hottest lines.
[[nodiscard]] StackChart stallChart(const Report& report, OneCase only = {});
/// The candidate's source lines by samples, hottest first.
[[nodiscard]] Table hotLinesTable(const Report& report, OneCase only = {});
/// The candidate's machine code in order, with the samples of each instruction where there are some.
[[nodiscard]] Table instructionsTable(const Report& report, OneCase only = {});

/// How many blocks and warps of each compiled form would be resident at other block sizes, and what would let
/// one more in. This needs no GPU.
[[nodiscard]] Table occupancyTable(const Report& report, OneCase only = {});

/// The same as curves over the size of the block, with where the candidate was launched and what it achieved.
[[nodiscard]] PlaneChart occupancyChart(const Report& report, OneCase only = {});

/// The PTX of the compiled forms, one row per line, with the source line that its ".loc" directives give.
/// Directives that only carry those lines are left out. This needs no GPU.
[[nodiscard]] Table ptxTable(const Report& report, OneCase only = {});

/// From the kernel to DRAM: what the candidate of one case moved, and how much of it the caches had.
[[nodiscard]] FlowChart memoryChart(const Report& report, OneCase only = {});
/// The same; what is said on top of each part has the numbers of earlier runs, too.
[[nodiscard]] FlowChart memoryAgainst(const Report& report, OneCase only, std::span<const Earlier> earlier);
/// Which kinds of instructions both sides of one case executed, and which the candidate's code has. The code
/// needs no GPU.
[[nodiscard]] StackChart mixChart(const Report& report, OneCase only = {});

/// What the host and each stream did during one call of each side of one case.
[[nodiscard]] TimeChart timelineChart(const Report& report, OneCase only = {});

/// Arithmetic intensity against speed, below what the card reached.
[[nodiscard]] PlaneChart rooflineChart(const Report& report, OneCase only = {});
/// The same with an arrow to each candidate from where it stood in each earlier run.
[[nodiscard]] PlaneChart rooflineAgainst(const Report& report, OneCase only,
                                         std::span<const Earlier> earlier);
/// The same in numbers: each point with its share of the roof above it, then the roofs.
[[nodiscard]] Table rooflineTable(const Report& report, OneCase only = {});

/// The meaning of a reason of PC sampling: "long scoreboard: waits for global or local memory". An unknown
/// reason stands for itself, with blanks.
[[nodiscard]] std::string stallText(std::string_view reason);

/// The samples of one source line of a kernel, for an editor's margin.
struct LineHeat {
  /// The file as the samples name it; the kernel's own path for its own lines.
  std::string file;
  int line = 0;
  /// The share of all samples of the case, 0 to 1.
  double share = 0;
  /// What its warps waited for most, in words.
  std::string stall;
  /// Everything that they waited for, one reason per line.
  std::string stalls;
  bool operator==(const LineHeat&) const = default;
};
/// The lines, hottest first. Samples of instructions without a line are left out, but count in the shares.
[[nodiscard]] std::vector<LineHeat> lineHeat(const Report& report, CaseKey key);

}  // namespace wb
