// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/quantity.h"
#include "core/figures/cases/case_line.h"
#include "core/figures/cells.h"
#include "core/figures/figures.h"
#include "core/figures/why_empty.h"
#include "core/model/pace.h"

namespace wb {

namespace {

Cell verdictCell(const CaseLine& line) {
  const CaseRow& row = line.row;
  if (row.check.verdict == Verdict::notRun && line.live && !row.timing)
    return textCell("waiting", Tone::muted);
  return textCell(std::string(name(row.check.verdict)), toneOf(row.check.verdict), checkDetail(row.check));
}

Cell noteCell(const CaseLine& line) {
  const CaseRow& row = line.row;
  std::string note = firstLine(row.check.message);
  if (note.empty() && row.check.errors && !row.check.errors->firstBadIndex.empty())
    note = fmt::format("{}: expected {}, got {}", row.check.errors->firstBadIndex, row.check.errors->expected,
                       row.check.errors->actual);
  const auto add = [&note](const std::string& more) {
    if (!more.empty()) note.append(note.empty() ? "" : " · ").append(more);
  };
  if (row.check.errors && !row.check.errors->cluster.empty()) add("wrong: " + row.check.errors->cluster);
  add(row.check.elsewhere);
  if (const std::string op = delegatedTo(row.definition.op, row.check.ran); !op.empty())
    add(fmt::format("answered by ATen: calls {} itself", op));
  add(firstLine(row.timing ? row.timing->note : row.notTimed));
  std::string detail = row.check.message.find('\n') == std::string::npos ? std::string() : row.check.message;
  return textCell(std::move(note), Tone::muted, std::move(detail));
}

/// The tone of errors: bad where the case fails because of them.
Tone toneOfErrors(const CaseLine& line) {
  return line.row.check.verdict == Verdict::mismatch ? Tone::bad : Tone::neutral;
}

template <double ErrorFigures::*error>
Cell shownError(const CaseLine& line) {
  const std::optional<double> value = errorOf<error>(line);
  return value ? errorCell(*value, toneOfErrors(line)) : Cell{};
}

/// A number of ULP: a few digits are shown as a count; a result that is far off has billions, which are shown
/// like an error.
Cell ulpCell(const CaseLine& line) {
  const std::optional<double> ulp = errorOf<&ErrorFigures::maxUlp>(line);
  if (!ulp) return {};
  const bool readable = *ulp < 1e6 && *ulp == static_cast<double>(static_cast<std::int64_t>(*ulp));
  return readable ? countCell(static_cast<std::int64_t>(*ulp), toneOfErrors(line))
                  : errorCell(*ulp, toneOfErrors(line));
}

template <double CaseTiming::*seconds>
Cell shownTime(const CaseLine& line) {
  const std::optional<double> value = timingOf<seconds>(line);
  return value ? secondsCell(*value) : Cell{};
}

/// The candidate's time; the reference's is in the tooltip.
template <BothSides CaseTiming::*time>
Cell candidateTime(const CaseLine& line) {
  const std::optional<double> candidate = timeOf<time, &BothSides::candidate>(line);
  if (!candidate) return {};
  Cell cell = secondsCell(*candidate);
  if (const std::optional<double> reference = timeOf<time, &BothSides::reference>(line))
    cell.detail = "reference " + formatSeconds(*reference);
  return cell;
}

Cell ratioOf(const CaseLine& line) {
  if (!line.row.timing) return {};
  const CaseTiming& timing = *line.row.timing;
  std::string detail =
      fmt::format("{} · {} · {} blocks", name(timing.speedup.pace), timing.clock, timing.blocks.size());
  for (const Fact& fact : timingFacts(timing)) detail += "\n" + fact.what + ": " + fact.text;
  return speedupCell(timing.speedup, std::move(detail));
}

Cell intervalCell(const CaseLine& line) {
  if (!line.row.timing || !hasInterval(line.row.timing->speedup)) return {};
  const Speedup& speedup = line.row.timing->speedup;
  Cell cell = textCell(intervalText(speedup.low, speedup.high), Tone::muted);
  cell.sort = speedup.low;
  return cell;
}

Cell floorCell(const CaseLine& line) {
  const std::optional<double> floor = knownTimingOf<&CaseTiming::floor>(line);
  const std::optional<double> candidate = knownTimingOf<&CaseTiming::candidate>(line);
  if (!floor || !candidate) return {};
  const double share = *floor / *candidate;
  Cell cell = textCell(formatPercent(share), share > 1 ? Tone::bad : Tone::neutral,
                       fmt::format("the floor is {}: {}", formatSeconds(*floor), line.row.timing->floorBy));
  cell.sort = share;
  return cell;
}

}  // namespace

const std::vector<ColumnOf<CaseLine>>& caseColumns() {
  using Kind = ColumnKind;
  using Line = const CaseLine&;
  static const std::vector<ColumnOf<CaseLine>> columns = {
      {{.key = "kernel",
        .title = "Kernel",
        .meaning = "File of the kernel that ran the case",
        .kind = Kind::name},
       [](Line line) { return textCell(std::string(line.kernel)); }},
      {{.key = "operator",
        .title = "Operator",
        .meaning = "ATen operator that the kernel is checked against",
        .kind = Kind::name,
        .rank = 1},
       [](Line line) { return textCell(operatorLabel(line.row.definition.op)); }},
      {{.key = "shapes", .title = "Shapes", .meaning = "Shapes of the tensor arguments", .kind = Kind::name},
       [](Line line) {
         return textCell(line.row.definition.shapes, Tone::neutral, line.row.definition.args);
       }},
      {{.key = "dtype", .title = "Dtype", .meaning = "Element type of the first tensor", .kind = Kind::name},
       [](Line line) { return textCell(line.row.definition.dtype, Tone::muted); }},
      {{.key = "layout",
        .title = "Layout",
        .meaning = "Memory layout where a tensor is not contiguous",
        .rank = 2},
       [](Line line) { return textCell(std::string(layoutOf(line.row.definition.args)), Tone::muted); }},
      {{.key = "verdict",
        .title = "Verdict",
        .meaning = "What checking the case came to",
        .kind = Kind::verdict,
        .lead = 1},
       verdictCell},
      {{.key = "maxAbs",
        .title = "Max abs",
        .meaning = "Largest absolute error |candidate − reference| over all elements",
        .kind = Kind::number,
        .better = Better::lower,
        .rank = 3},
       shownError<&ErrorFigures::maxAbs>},
      {{.key = "maxRel",
        .title = "Max rel",
        .meaning = "Largest error relative to the reference's value",
        .kind = Kind::number,
        .better = Better::lower,
        .rank = 6},
       shownError<&ErrorFigures::maxRel>},
      {{.key = "maxUlp",
        .title = "ULP",
        .meaning = "Largest error in units in the last place of the output's type",
        .kind = Kind::number,
        .better = Better::lower,
        .rank = 5},
       ulpCell},
      {{.key = "time",
        .title = "Time",
        .meaning = "Which time the speedup is of. Kernel: from the start of a call's first kernel to the end "
                   "of its last. Step: what one more call costs in a busy stream. Call: from the host's call "
                   "to its result",
        .rank = 7},
       [](Line line) {
         return line.row.timing ? textCell(timeText(*line.row.timing), Tone::muted) : Cell{};
       }},
      {{.key = "reference",
        .title = "Reference",
        .meaning = "Median of that time of the reference",
        .kind = Kind::number,
        .unit = "s",
        .rank = 5,
        .lead = 5},
       shownTime<&CaseTiming::reference>},
      {{.key = "candidate",
        .title = "Candidate",
        .meaning = "Median of that time of the candidate",
        .kind = Kind::number,
        .unit = "s",
        .better = Better::lower,
        .rank = 4,
        .lead = 4},
       shownTime<&CaseTiming::candidate>},
      {{.key = "speedup",
        .title = "Speedup",
        .meaning = "Reference time over candidate time, median over interleaved blocks",
        .kind = Kind::ratio,
        .unit = "×",
        .better = Better::higher,
        .hasEarlier = true,
        .lead = 2},
       ratioOf},
      {{.key = "interval",
        .title = "95 % interval",
        .meaning = "Where the true speedup lies with 95 % confidence",
        .kind = Kind::number,
        .rank = 3,
        .lead = 3},
       intervalCell},
      {{.key = "kernelHot",
        .title = "Kernel, hot",
        .meaning = "Candidate's kernel time with what it reads in the cache",
        .kind = Kind::number,
        .unit = "s",
        .better = Better::lower,
        .rank = 9},
       candidateTime<&CaseTiming::kernelHot>},
      {{.key = "step",
        .title = "Step",
        .meaning = "What one more call of the candidate costs in a busy stream",
        .kind = Kind::number,
        .unit = "s",
        .better = Better::lower,
        .rank = 8},
       candidateTime<&CaseTiming::step>},
      {{.key = "call",
        .title = "Call",
        .meaning = "From the host's call of the candidate to its result",
        .kind = Kind::number,
        .unit = "s",
        .better = Better::lower,
        .rank = 8},
       candidateTime<&CaseTiming::call>},
      {{.key = "floor",
        .title = "Of floor",
        .meaning = "Share of the candidate's time that no kernel can beat on this device: 100 % cannot be "
                   "improved",
        .kind = Kind::share,
        .better = Better::higher,
        .rank = 7},
       floorCell},
      {{.key = "note",
        .title = "Note",
        .meaning = "Why a case failed, or what to know about its numbers",
        .kind = Kind::note,
        .rank = 2},
       noteCell},
  };
  return columns;
}

namespace {

/// The sets of the table, in the order of the bits of Row::sets.
enum CaseSet : std::uint32_t { failingSet = 1, slowerSet = 2, undecidedSet = 4 };

std::vector<RowSet> caseSets() {
  return {{"Failing", "Cases in which the candidate is wrong, crashes or hangs", true},
          {"Slower", "Cases in which the candidate takes longer than the reference"},
          {"Undecided", "Cases whose interval is too wide to say which side is faster"}};
}

std::uint32_t setsOf(const CaseRow& row) {
  std::uint32_t sets = 0;
  if (row.check.verdict != Verdict::notRun && tally(row.check.verdict) == Tally::fail) sets |= failingSet;
  if (row.timing && row.timing->speedup.pace == Pace::slower) sets |= slowerSet;
  if (row.timing && row.timing->speedup.pace == Pace::undecided) sets |= undecidedSet;
  return sets;
}

/// How far the bars reach: as far as the fastest or the slowest case, within bounds, so that small
/// differences stay small and one huge ratio hides no other.
class BarSpan {
 public:
  void take(const CaseRow& row) {
    if (!row.timing || !hasInterval(row.timing->speedup)) return;
    const double ratio = row.timing->speedup.ratio;
    if (std::isfinite(ratio) && ratio > 0) farthest_ = std::max({farthest_, ratio, 1 / ratio});
  }
  [[nodiscard]] double span() const { return std::clamp(farthest_, 1.1, 8.0); }

 private:
  double farthest_ = 1;
};

}  // namespace

Table casesTable(const Report& report) {
  const bool several = report.kernels.size() > 1;
  TableOf<CaseLine> table("cases", "Cases", several ? caseColumns() : without(caseColumns(), "kernel"));
  std::size_t rows = 0;
  for (const auto& kernel : report.kernels) rows += kernel->cases.size();
  table.reserve(rows);
  table.setSets(caseSets());
  BarSpan bars;
  for (std::size_t k = 0; k < report.kernels.size(); ++k) {
    const std::string label = kernelLabel(report, k);
    const bool live = underWay(report, *report.kernels[k]);
    forEachCase(*report.kernels[k], [&](std::size_t index, const CaseRow& row) {
      table.add(fmt::format("{}/{}", k, index), CaseLine{row, label, live}).sets = setsOf(row);
      bars.take(row);
    });
  }
  Table made = std::move(table).take(whyNoCases(report));
  made.span = bars.span();
  return made;
}

}  // namespace wb
