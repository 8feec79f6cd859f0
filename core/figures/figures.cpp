// SPDX-License-Identifier: Apache-2.0
#include "core/figures/figures.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "core/figures/profile/profile_figures.h"

namespace wb {

namespace {

template <class Made>
constexpr FigureKind kindOf() {
  if constexpr (std::is_same_v<Made, Cards>)
    return FigureKind::cards;
  else if constexpr (std::is_same_v<Made, Table>)
    return FigureKind::table;
  else if constexpr (std::is_same_v<Made, BarChart>)
    return FigureKind::bars;
  else if constexpr (std::is_same_v<Made, PlaneChart>)
    return FigureKind::plane;
  else if constexpr (std::is_same_v<Made, TimeChart>)
    return FigureKind::time;
  else if constexpr (std::is_same_v<Made, CellMaps>)
    return FigureKind::maps;
  else if constexpr (std::is_same_v<Made, StackChart>)
    return FigureKind::stack;
  else
    return FigureKind::flow;
}

/// A row of the list: what is known of the figure that `figure` makes.
template <auto figure>
constexpr FigureInfo row(FigureInfo info) {
  if (info.page == Page::profile) info.stage = Stage::profile;
  if constexpr (std::is_invocable_v<decltype(figure), const Report&, OneCase>) {
    info.kind = kindOf<std::invoke_result_t<decltype(figure), const Report&, OneCase>>();
    info.maker = [](const Report& report, OneCase only) -> Figure { return figure(report, only); };
  } else {
    info.kind = kindOf<std::invoke_result_t<decltype(figure), const Report&>>();
    info.maker = [](const Report& report, OneCase) -> Figure { return figure(report); };
  }
  return info;
}

constexpr std::array list = {
    row<headline>({.id = "headline"}),
    row<speedupChart>({.id = "speedup", .title = "Speedup", .rows = 24}),
    row<operatorSpeedupChart>({.id = "speedup-operators", .title = "Speedup", .rows = 40, .fewestRows = 2}),
    row<sizeChart>({.id = "speedup-size", .title = "Speedup", .rank = 1, .fewestRows = 3}),
    row<samplesChart>({.id = "samples", .title = "Speedup", .rank = 2, .fewestRows = 3}),
    row<problemsTable>({.id = "problems", .title = "Problems", .rank = 1}),
    row<kernelsTable>({.id = "kernels", .title = "Build", .rank = 1, .ofCode = true}),
    // One operator's row repeats the cards.
    row<operatorsTable>({.id = "operators", .title = "Operators", .rows = 40, .fewestRows = 2}),
    row<casesTable>({.id = "cases", .title = "Cases", .rank = 1, .fewestRows = 0}),
    row<elementsTable>({.id = "elements", .title = "Wrong elements", .page = Page::elements, .rank = 1}),
    row<errorMaps>({.id = "error-maps", .title = "Wrong elements", .page = Page::elements, .rank = 1}),
    row<adviceTable>({.id = "advice", .page = Page::profile}),
    row<metricsTable>({.id = "metrics", .title = "Metrics", .page = Page::profile}),
    row<stallChart>({.id = "stalls", .title = "Hot lines", .page = Page::profile, .rows = 12}),
    row<hotLinesTable>({.id = "hotlines", .title = "Hot lines", .page = Page::profile, .rows = 15}),
    row<memoryChart>({.id = "memory",
                      .title = "Memory",
                      .page = Page::profile,
                      .makerBeside = [](const Report& report, OneCase only, std::span<const Earlier> earlier)
                          -> Figure { return memoryAgainst(report, only, earlier); }}),
    row<mixChart>({.id = "mix", .title = "Instructions", .page = Page::profile, .rank = 1, .ofCode = true}),
    row<rooflineChart>(
        {.id = "roofline",
         .title = "Roofline",
         .page = Page::profile,
         .makerBeside = [](const Report& report, OneCase only, std::span<const Earlier> earlier) -> Figure {
           return rooflineAgainst(report, only, earlier);
         }}),
    row<rooflineTable>({.id = "roofline-table", .title = "Roofline", .page = Page::profile, .rank = 1}),
    row<timelineChart>({.id = "timeline", .title = "Timeline", .page = Page::profile}),
    row<launchesTable>({.id = "launches", .title = "Launches", .page = Page::profile, .rows = 30}),
    row<occupancyTable>({.id = "occupancy",
                         .title = "Launches",
                         .page = Page::profile,
                         .rank = 1,
                         .ofCode = true,
                         .rows = 40}),
    row<occupancyChart>(
        {.id = "occupancy-chart", .title = "Launches", .page = Page::profile, .rank = 2, .ofCode = true}),
    row<instructionsTable>({.id = "instructions",
                            .title = "Code",
                            .page = Page::profile,
                            .rank = 1,
                            .ofCode = true,
                            .rows = 40}),
    row<ptxTable>(
        {.id = "ptx", .title = "Code", .page = Page::profile, .rank = 2, .ofCode = true, .rows = 40}),
    row<environmentTable>({.id = "environment", .title = "Environment", .page = Page::reference, .rank = 1}),
};

}  // namespace

std::span<const FigureInfo> figures() {
  return list;
}

const FigureInfo* findFigure(std::string_view id) {
  const auto at =
      std::find_if(list.begin(), list.end(), [id](const FigureInfo& info) { return info.id == id; });
  return at == list.end() ? nullptr : &*at;
}

std::size_t sizeOf(const Figure& figure) {
  struct Visitor {
    std::size_t operator()(const Cards& cards) const { return cards.cards.size(); }
    std::size_t operator()(const Table& table) const { return table.rows.size(); }
    std::size_t operator()(const BarChart& chart) const { return chart.bars.size(); }
    std::size_t operator()(const PlaneChart& chart) const { return chart.points.size() + chart.lines.size(); }
    std::size_t operator()(const TimeChart& chart) const { return chart.lanes.size(); }
    std::size_t operator()(const StackChart& chart) const { return chart.rows.size(); }
    std::size_t operator()(const FlowChart& chart) const { return chart.nodes.size(); }
    std::size_t operator()(const CellMaps& maps) const { return maps.maps.size(); }
  };
  return std::visit(Visitor{}, figure);
}

std::string_view whyEmpty(const Figure& figure) {
  return std::visit(
      [](const auto& one) -> std::string_view {
        if constexpr (std::is_same_v<std::decay_t<decltype(one)>, Cards>)
          return {};
        else
          return one.empty;
      },
      figure);
}

}  // namespace wb
