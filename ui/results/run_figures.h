// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/figures/figures.h"
#include "core/figures/profile/profile_figures.h"
#include "editor/heat_layer.h"

namespace wb {

/// All that the window shows of one profiled case; or, without a case, of the machine code alone.
struct CaseFigures {
  OneCase key;
  std::string source;              ///< path of the kernel, as its places have it
  std::string title;               ///< "relu 1024×1024 f32"
  std::string summary;             ///< "36 metrics in 10 passes · 12 480 samples"
  std::vector<std::string> notes;  ///< what could not be had and why, of both sides
  std::shared_ptr<const Table> advice, metrics, launches, hotLines, roofline, instructions, ptx;
  /// Metrics with a line for each kernel of the call, too; the same table where there is one only.
  std::shared_ptr<const Table> metricsByKernel;
  BarChart stalls;
  PlaneChart plane;
  TimeChart timeline;
  std::vector<HotLine> heat;  ///< for the editor's margin
};

/// All that the window shows of one state of a run: computed off the UI thread, immutable.
struct RunFigures {
  std::shared_ptr<const Report> report;
  Cards cards;
  BarChart chart;
  std::shared_ptr<const Table> operators, cases, builds, problems;
  std::vector<std::shared_ptr<const CaseFigures>> profiles;  ///< empty where profiling was not asked for
  Counts counts;
  std::string line;     ///< progressLine
  double fraction = 0;  ///< progressFraction
};

[[nodiscard]] std::shared_ptr<const RunFigures> makeFigures(std::shared_ptr<const Report> report);

}  // namespace wb
