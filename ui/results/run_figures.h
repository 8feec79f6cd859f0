// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/figures/figures.h"
#include "core/figures/profile/case_facts.h"
#include "editor/heat_layer.h"

namespace wb {

/// The figures of a page, made for one state of a run.
class FigureSet {
 public:
  FigureSet() = default;
  FigureSet(const Report& report, Page page, OneCase only = {});
  /// Null where this page has no such figure.
  [[nodiscard]] std::shared_ptr<const Figure> find(std::string_view id) const;
  /// The figure with this id as what it is; an empty one where there is none.
  template <class Of>
  [[nodiscard]] std::shared_ptr<const Of> get(std::string_view id) const {
    const std::shared_ptr<const Figure> figure = find(id);
    const Of* of = figure ? std::get_if<Of>(&*figure) : nullptr;
    return of ? std::shared_ptr<const Of>(figure, of) : std::make_shared<const Of>();
  }
  [[nodiscard]] std::shared_ptr<const Table> table(std::string_view id) const { return get<Table>(id); }

 private:
  struct Made {
    std::string_view id;
    std::shared_ptr<const Figure> figure;
  };
  std::vector<Made> made_;
};

/// All that the window shows of one profiled case; or, without a case, of the machine code alone.
struct CaseFigures {
  OneCase profiled;     ///< nothing: the machine code alone
  std::string source;   ///< path of the kernel, as its places have it
  std::string title;    ///< "relu 1024×1024 f32"
  std::string summary;  ///< profileSummary
  FigureSet figures;
  std::vector<HotLine> heat;  ///< for the editor's margin
};

/// All that the window shows of one state of a run: computed off the UI thread, immutable.
struct RunFigures {
  std::shared_ptr<const Report> report;
  FigureSet figures;
  std::vector<std::shared_ptr<const CaseFigures>> profiles;  ///< empty where profiling was not asked for
  Counts counts;
  std::string line;     ///< progressLine
  double fraction = 0;  ///< progressFraction
};

[[nodiscard]] std::shared_ptr<const RunFigures> makeFigures(std::shared_ptr<const Report> report);

}  // namespace wb
