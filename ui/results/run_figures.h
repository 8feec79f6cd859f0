// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/figures/code/code_listing.h"
#include "core/figures/compare/earlier.h"
#include "core/figures/figures.h"
#include "core/figures/profile/case_facts.h"
#include "core/figures/verdict/verdict_line.h"
#include "editor/heat_layer.h"

namespace wb {

/// The figures of a page, made for one state of a run.
class FigureSet {
 public:
  FigureSet() = default;
  /// With what they were in earlier runs, where there are some.
  FigureSet(const Report& report, Page page, OneCase only = {}, std::span<const Earlier> earlier = {});
  /// The figure with this id; null where this page has none.
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

/// Everything that the window shows of one profiled case, or without a case of the machine code alone.
struct CaseFigures {
  /// The case; nothing for the machine code alone.
  OneCase profiled;
  /// The path of the kernel as its places name it.
  std::string source;
  /// The title: "relu 1024×1024 f32".
  std::string title;
  /// profileSummary.
  std::string summary;
  FigureSet figures;
  /// The kernel's code, which stands beside its source.
  std::shared_ptr<const CodeListing> code;
  /// The hot lines for the editor's margin.
  std::vector<HotLine> heat;
};

/// Everything that the window shows of one state of a run. It is computed off the UI thread and immutable.
struct RunFigures {
  std::shared_ptr<const Report> report;
  FigureSet figures;
  /// The profiles; empty where nobody asked for profiling.
  std::vector<std::shared_ptr<const CaseFigures>> profiles;
  Counts counts;
  /// verdictLine.
  VerdictLine verdict;
  /// progressLine.
  std::string line;
  /// progressFraction.
  double fraction = 0;
};

[[nodiscard]] std::shared_ptr<const RunFigures> makeFigures(std::shared_ptr<const Report> report);

}  // namespace wb
