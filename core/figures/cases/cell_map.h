// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace wb {

/// A map of the wrong elements of an output: WrongElements::map with its title and words.
struct CellMap {
  /// The id of the case's row.
  std::string rowId;
  /// "relu 17×33 f32"; "out1 of native_layer_norm …".
  std::string title;
  /// Where the errors lie, as a sentence: "4 of 561 elements are wrong: the last 4 columns".
  std::string words;
  std::vector<std::int64_t> shape, cells;
  std::string letters;
  bool operator==(const CellMap&) const = default;
};

struct CellMaps {
  std::string id, title;
  std::vector<CellMap> maps;
  std::string empty;
  bool operator==(const CellMaps&) const = default;
};

/// A map as one picture. A map of one dimension is broken into rows; blanks fill the last one.
struct MapSlice {
  std::int64_t rows = 1, columns = 1;
  std::string letters;
  [[nodiscard]] char at(std::int64_t row, std::int64_t column) const {
    return letters[static_cast<std::size_t>(row * columns + column)];
  }
  bool operator==(const MapSlice&) const = default;
};

/// How many cells stand in a row where a map of one dimension is broken into rows.
inline constexpr std::int64_t brokenRow = 128;

/// The dimensions that choose the slice: all but the last two.
[[nodiscard]] std::size_t sliceDimensions(const CellMap& map);
/// The slice at a cell of each of those dimensions. Where `at` has -1, or ends before, it is the worst of all
/// along that dimension.
[[nodiscard]] MapSlice sliceOf(const CellMap& map, const std::vector<std::int64_t>& at = {});
/// The slice in at most so many rows and columns, each the worst of those that it stands for.
[[nodiscard]] MapSlice reduced(const MapSlice& slice, std::int64_t rows, std::int64_t columns);

/// What a cell is, in words: "[0, 8…15]: off by 4 to 8 times the tolerance".
[[nodiscard]] std::string cellText(const CellMap& map, const std::vector<std::int64_t>& at, std::int64_t row,
                                   std::int64_t column);

/// How dark a letter is drawn: 0 for none, 1 to 4; 4 is for values that are not finite.
[[nodiscard]] int shadeOf(char letter);
/// What each shade from 1 on stands for.
inline constexpr const char* shadeMeanings[] = {"up to 4 times the tolerance", "up to 64 times", "more",
                                                "no number, or no tolerance"};

}  // namespace wb
