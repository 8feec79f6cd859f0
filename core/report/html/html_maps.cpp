// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/report/html/html_charts.h"
#include "core/report/html/html_text.h"

namespace wb {

namespace {

/// So many slices of a map are drawn beside the worst of all.
constexpr std::size_t mostSlices = 6;

/// A picture of a slice: a rectangle for each run of cells of one shade.
std::string picture(const MapSlice& slice, const std::string& label) {
  std::string runs;
  for (std::int64_t row = 0; row < slice.rows; ++row)
    for (std::int64_t column = 0; column < slice.columns;) {
      const int shade = shadeOf(slice.at(row, column));
      std::int64_t end = column + 1;
      while (end < slice.columns && shadeOf(slice.at(row, end)) == shade) ++end;
      if (shade > 0)
        runs += fmt::format("<rect class=\"shade{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"1\"/>", shade,
                            column, row, end - column);
      column = end;
    }
  return fmt::format(
      "<figure class=\"map\"><svg role=\"img\" aria-label=\"{0}\" viewBox=\"0 0 {1} {2}\" "
      "preserveAspectRatio=\"none\" shape-rendering=\"crispEdges\" style=\"width:{3}px;height:{4}px\">"
      "{5}</svg><figcaption>{0}</figcaption></figure>\n",
      escapeHtml(label), slice.columns, slice.rows, std::clamp<std::int64_t>(4 * slice.columns, 48, 512),
      std::clamp<std::int64_t>(4 * slice.rows, 12, 512), runs);
}

std::string pictures(const CellMap& map) {
  const std::size_t leading = sliceDimensions(map);
  if (leading == 0) return picture(sliceOf(map), fmt::format("{}", fmt::join(map.shape, "×")));
  std::string html = picture(sliceOf(map), "the worst of all slices");
  std::vector<std::int64_t> at(leading, 0);
  std::size_t drawn = 0;
  for (bool isMore = true; isMore && drawn < mostSlices;) {
    const MapSlice slice = sliceOf(map, at);
    if (slice.letters.find_first_not_of('.') != std::string::npos) {
      html += picture(slice, fmt::format("[{}, …]", fmt::join(at, ", ")));
      ++drawn;
    }
    isMore = false;
    for (std::size_t d = leading; d-- > 0 && !isMore; isMore = at[d] > 0)
      at[d] = at[d] + 1 < map.cells[d] ? at[d] + 1 : 0;
  }
  return html;
}

}  // namespace

std::string htmlMaps(const CellMaps& maps) {
  if (maps.maps.empty()) return {};
  std::string html = fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n<div class=\"head\"><h2 "
      "id=\"{0}-title\">{1}</h2></div>\n<div class=\"panel maps\">\n",
      escapeHtml(maps.id), escapeHtml(maps.title));
  for (const CellMap& map : maps.maps)
    html += fmt::format("<h3>{}</h3>\n<p>{}</p>\n<div class=\"pictures\">{}</div>\n", escapeHtml(map.title),
                        escapeHtml(map.words), pictures(map));
  html += "<p class=\"key\">";
  for (int shade = 1; shade <= 4; ++shade)
    html += fmt::format("<span class=\"swatch shade{}\"></span>{} ", shade, shadeMeanings[shade - 1]);
  return html + "</p></div>\n</section>\n";
}

}  // namespace wb
