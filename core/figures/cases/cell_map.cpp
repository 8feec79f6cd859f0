// SPDX-License-Identifier: Apache-2.0
#include "core/figures/cases/cell_map.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/model/wrong_elements.h"

namespace wb {
namespace {

std::int64_t divided(std::int64_t size, std::int64_t parts) {
  return parts > 0 ? (size + parts - 1) / parts : 0;
}

/// The elements of one cell along a dimension: "8…15", or "3" for one.
std::string rangeText(std::int64_t cell, std::int64_t size, std::int64_t cells) {
  const std::int64_t block = divided(size, cells), first = cell * block;
  const std::int64_t last = std::min(first + block, size) - 1;
  return first >= last ? fmt::format("{}", first) : fmt::format("{}…{}", first, last);
}

std::string excessText(char letter) {
  const double least = leastExcess(letter);
  if (least == 0) return "right, or within the tolerance";
  if (std::isinf(least)) return "one of the two is no number, or nothing is tolerated";
  if (letter == 'y') return "off by more than 10 000 000 times the tolerance";
  return fmt::format("off by {:.0f} to {:.0f} times the tolerance", least, 2 * least);
}

}  // namespace

std::size_t sliceDimensions(const CellMap& map) {
  return map.cells.size() > 2 ? map.cells.size() - 2 : 0;
}

MapSlice sliceOf(const CellMap& map, const std::vector<std::int64_t>& at) {
  MapSlice slice;
  if (map.cells.size() == 1) {
    slice.columns = std::min(map.cells[0], brokenRow);
    slice.rows = divided(map.cells[0], slice.columns);
    slice.letters = map.letters;
    slice.letters.resize(static_cast<std::size_t>(slice.rows * slice.columns), ' ');
    return slice;
  }
  const std::size_t leading = sliceDimensions(map);
  if (!map.cells.empty()) {
    slice.rows = map.cells[leading];
    slice.columns = map.cells[leading + 1];
  }
  const std::int64_t size = slice.rows * slice.columns;
  slice.letters.assign(static_cast<std::size_t>(size), '.');
  const std::int64_t slices = size > 0 ? static_cast<std::int64_t>(map.letters.size()) / size : 0;
  for (std::int64_t s = 0; s < slices; ++s) {
    std::int64_t rest = s;
    bool isWanted = true;
    for (std::size_t d = leading; d-- > 0; rest /= map.cells[d])
      isWanted &= d >= at.size() || at[d] < 0 || rest % map.cells[d] == at[d];
    for (std::int64_t i = 0; isWanted && i < size; ++i) {
      char& letter = slice.letters[static_cast<std::size_t>(i)];
      letter = std::max(letter, map.letters[static_cast<std::size_t>(s * size + i)]);
    }
  }
  return slice;
}

MapSlice reduced(const MapSlice& slice, std::int64_t rows, std::int64_t columns) {
  const std::int64_t high = std::max<std::int64_t>(1, divided(slice.rows, rows));
  const std::int64_t wide = std::max<std::int64_t>(1, divided(slice.columns, columns));
  MapSlice small{divided(slice.rows, high), divided(slice.columns, wide), {}};
  small.letters.assign(static_cast<std::size_t>(small.rows * small.columns), ' ');
  for (std::int64_t row = 0; row < slice.rows; ++row)
    for (std::int64_t column = 0; column < slice.columns; ++column) {
      char& letter = small.letters[static_cast<std::size_t>(row / high * small.columns + column / wide)];
      letter = std::max(letter, slice.at(row, column));
    }
  return small;
}

std::string cellText(const CellMap& map, const std::vector<std::int64_t>& at, std::int64_t row,
                     std::int64_t column) {
  const MapSlice slice = sliceOf(map, at);
  const char letter = slice.at(row, column);
  if (letter == ' ') return {};
  std::vector<std::string> place;
  for (std::size_t d = 0; d < map.cells.size(); ++d) {
    if (d < sliceDimensions(map) && (d >= at.size() || at[d] < 0)) {
      place.emplace_back("any");
      continue;
    }
    const std::int64_t cell = map.cells.size() == 1       ? row * slice.columns + column
                              : d < sliceDimensions(map)  ? at[d]
                              : d + 1 == map.cells.size() ? column
                                                          : row;
    place.push_back(rangeText(cell, map.shape[d], map.cells[d]));
  }
  return fmt::format("[{}]: {}", fmt::join(place, ", "), excessText(letter));
}

int shadeOf(char letter) {
  if (letter == 'z') return 4;
  if (letter < 'a') return 0;
  return letter < 'c' ? 1 : letter < 'g' ? 2 : 3;
}

}  // namespace wb
