// SPDX-License-Identifier: Apache-2.0
#include "core/figures/figures.h"

#include <array>

#include "core/figures/profile/profile_figures.h"

namespace wb {

namespace {
template <auto figure>
Figure make(const Report& report) {
  return figure(report);
}
/// A figure of all profiled cases.
template <auto figure>
Figure profile(const Report& report) {
  return figure(report, OneCase());
}
}  // namespace

std::span<const FigureInfo> figures() {
  // In the order in which a reader wants them.
  static constexpr std::array list = {
      FigureInfo{"headline", make<headline>},
      FigureInfo{"speedup", make<speedupChart>},
      FigureInfo{"problems", make<problemsTable>},
      FigureInfo{"kernels", make<kernelsTable>},
      FigureInfo{"operators", make<operatorsTable>},
      FigureInfo{"cases", make<casesTable>},
      FigureInfo{"advice", profile<adviceTable>, true},
      FigureInfo{"roofline", profile<rooflineChart>, true},
      FigureInfo{"roofline-table", profile<rooflineTable>, true},
      FigureInfo{"metrics", profile<metricsTable>, true},
      FigureInfo{"launches", profile<launchesTable>, true},
      FigureInfo{"occupancy", profile<occupancyTable>, true},
      FigureInfo{"timeline", profile<timelineChart>, true},
      FigureInfo{"stalls", profile<stallChart>, true},
      FigureInfo{"hotlines", profile<hotLinesTable>, true},
      FigureInfo{"instructions", profile<instructionsTable>, true},
      FigureInfo{"environment", make<environmentTable>},
  };
  return list;
}

}  // namespace wb
