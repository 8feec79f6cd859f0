// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <vector>

#include "core/figures/cases/case_line.h"
#include "core/figures/cells.h"

namespace wb {

namespace {

/// The shortest digits that give the same double back.
template <std::optional<double> (*value)(const CaseLine&)>
Cell exact(const CaseLine& line) {
  const std::optional<double> number = value(line);
  return number ? textCell(fmt::format("{}", *number)) : Cell{};
}

template <auto field>
Cell ofCase(const CaseLine& line) {
  return textCell(fmt::format("{}", line.row.definition.*field));
}

template <auto field>
Cell ofErrors(const CaseLine& line) {
  const auto& errors = line.row.check.errors;
  return errors ? textCell(fmt::format("{}", (*errors).*field)) : Cell{};
}

template <auto field>
Cell ofTiming(const CaseLine& line) {
  return line.row.timing ? textCell(fmt::format("{}", (*line.row.timing).*field)) : Cell{};
}

/// A tolerance, which means something where there are errors to compare with it.
template <double CaseCheck::*tolerance>
Cell toleranceCell(const CaseLine& line) {
  return line.row.check.errors ? textCell(fmt::format("{}", line.row.check.*tolerance)) : Cell{};
}

Cell checkSeconds(const CaseLine& line) {
  const CaseCheck& check = line.row.check;
  return check.verdict == Verdict::notRun ? Cell{} : textCell(fmt::format("{}", check.seconds));
}

Cell cacheCell(const CaseLine& line) {
  const auto& timing = line.row.timing;
  return timing && timing->caches != CacheState::unknown ? textCell(std::string(name(timing->caches)))
                                                         : Cell{};
}

/// Both sides of one of the times.
template <BothSides CaseTiming::*time>
void addTimes(std::vector<ColumnOf<CaseLine>>& columns, const std::string& name) {
  columns.push_back({{.title = name + "_reference_seconds"}, exact<timeOf<time, &BothSides::reference>>});
  columns.push_back({{.title = name + "_candidate_seconds"}, exact<timeOf<time, &BothSides::candidate>>});
}

std::vector<ColumnOf<CaseLine>> makeColumns() {
  using Line = const CaseLine&;
  std::vector<ColumnOf<CaseLine>> columns = {
      {{.title = "kernel"}, [](Line line) { return textCell(std::string(line.kernel)); }},
      {{.title = "operator"}, ofCase<&Case::op>},
      {{.title = "args"}, ofCase<&Case::args>},
      {{.title = "shapes"}, ofCase<&Case::shapes>},
      {{.title = "dtype"}, ofCase<&Case::dtype>},
      {{.title = "count"}, ofCase<&Case::count>},
      {{.title = "seed"}, ofCase<&Case::seed>},
      {{.title = "verdict"}, [](Line line) { return textCell(std::string(name(line.row.check.verdict))); }},
      {{.title = "message"}, [](Line line) { return textCell(line.row.check.message); }},
      {{.title = "max_abs_error"}, exact<errorOf<&ErrorFigures::maxAbs>>},
      {{.title = "max_rel_error"}, exact<errorOf<&ErrorFigures::maxRel>>},
      {{.title = "max_ulp_error"}, exact<errorOf<&ErrorFigures::maxUlp>>},
      {{.title = "mismatches"}, ofErrors<&ErrorFigures::mismatches>},
      {{.title = "elements"}, ofErrors<&ErrorFigures::elements>},
      {{.title = "first_bad_index"}, ofErrors<&ErrorFigures::firstBadIndex>},
      {{.title = "expected"}, ofErrors<&ErrorFigures::expected>},
      {{.title = "actual"}, ofErrors<&ErrorFigures::actual>},
      {{.title = "rtol"}, toleranceCell<&CaseCheck::rtol>},
      {{.title = "atol"}, toleranceCell<&CaseCheck::atol>},
      {{.title = "check_seconds"}, checkSeconds},
      {{.title = "reference_seconds"}, exact<timingOf<&CaseTiming::reference>>},
      {{.title = "candidate_seconds"}, exact<timingOf<&CaseTiming::candidate>>},
      {{.title = "speedup"}, exact<speedupOf<&Speedup::ratio>>},
      {{.title = "speedup_low"}, exact<speedupOf<&Speedup::low>>},
      {{.title = "speedup_high"}, exact<speedupOf<&Speedup::high>>},
      {{.title = "pace"},
       [](Line line) {
         return line.row.timing ? textCell(std::string(name(line.row.timing->speedup.pace))) : Cell{};
       }},
      {{.title = "clock"}, ofTiming<&CaseTiming::clock>},
      {{.title = "blocks"},
       [](Line line) {
         return line.row.timing ? textCell(std::to_string(line.row.timing->blocks.size())) : Cell{};
       }},
      {{.title = "calls_per_sample"}, ofTiming<&CaseTiming::callsPerSample>},
      {{.title = "timing_note"}, ofTiming<&CaseTiming::note>},
      {{.title = "not_timed"}, [](Line line) { return textCell(line.row.notTimed); }},
      {{.title = "time"}, ofTiming<&CaseTiming::time>},
      {{.title = "cache"}, cacheCell},
  };
  addTimes<&CaseTiming::kernel>(columns, "kernel");
  addTimes<&CaseTiming::kernelHot>(columns, "kernel_hot");
  addTimes<&CaseTiming::step>(columns, "step");
  addTimes<&CaseTiming::call>(columns, "call");
  addTimes<&CaseTiming::host>(columns, "host");
  columns.push_back({{.title = "floor_seconds"}, exact<knownTimingOf<&CaseTiming::floor>>});
  columns.push_back({{.title = "math"}, ofTiming<&CaseTiming::math>});
  return columns;
}

}  // namespace

std::span<const ColumnOf<CaseLine>> caseDataColumns() {
  static const std::vector<ColumnOf<CaseLine>> columns = makeColumns();
  return columns;
}

}  // namespace wb
