// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/figures/figures.h"

namespace wb {

/// All that the window shows of one state of a run: computed off the UI thread, immutable.
struct RunFigures {
  std::shared_ptr<const Report> report;
  Cards cards;
  BarChart chart;
  std::shared_ptr<const Table> operators, cases, builds, problems;
  Counts counts;
  std::string line;     ///< progressLine
  double fraction = 0;  ///< progressFraction
};

[[nodiscard]] std::shared_ptr<const RunFigures> makeFigures(std::shared_ptr<const Report> report);

}  // namespace wb
