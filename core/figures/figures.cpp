// SPDX-License-Identifier: Apache-2.0
#include "core/figures/figures.h"

#include <array>

namespace wb {

namespace {
template <auto figure>
Figure make(const Report& report) {
  return figure(report);
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
      FigureInfo{"environment", make<environmentTable>},
  };
  return list;
}

}  // namespace wb
