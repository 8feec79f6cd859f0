// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/comparison.h"

#include <fmt/format.h>

#include <utility>

#include "core/figures/cells.h"
#include "core/figures/compare/compare_figure.h"
#include "core/figures/figures.h"
#include "core/jobs/saved_report.h"
#include "ui/results/machine_clock.h"

namespace wb {

Result<Baseline> readBaseline(const std::filesystem::path& file) {
  WB_TRY(auto report, readSavedReport(file));
  return Baseline{file.filename().string(), std::move(report), file.string()};
}

ComparisonFigures makeComparison(const Baseline& a, const Baseline& b,
                                 const std::vector<Baseline>& baselines) {
  const Figure cases = figureBeside(*findFigure("cases"), *b.report, {}, earlierOf(baselines));
  return {a.name, b.name, compareHeadline(*a.report, *b.report),
          std::make_shared<Table>(compareTable(*a.report, *b.report)),
          std::make_shared<Table>(std::get<Table>(cases))};
}

std::vector<Earlier> earlierOf(const std::vector<Baseline>& baselines) {
  std::vector<Earlier> earlier;
  for (const Baseline& one : baselines) earlier.push_back({one.name, one.report});
  return earlier;
}

std::string baselineName(const Report& report) {
  ReadersClock clock = clockOfThisMachine();
  clock.saysSeconds = true;
  const std::string when = timeOfDay(report.startedAt, clock);
  return when.empty() ? runName(report) : runName(report) + ", " + when;
}

std::string runName(const Report& report) {
  if (report.kernels.size() == 1) return kernelLabel(report, 0);
  return fmt::format("{} kernels", report.kernels.size());
}

}  // namespace wb
