// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wb {

/// One element of an output, as it should be and as it is.
struct ElementPair {
  /// Its row-major number in the output.
  std::int64_t at = 0;
  /// The values in full precision; `exact` is float64's, "" where there is none.
  std::string expected, actual, exact;
  /// |actual − expected|; infinite where one of the two is not finite.
  double difference = 0;
  /// It is over the tolerance.
  bool wrong = false;
  bool operator==(const ElementPair&) const = default;
};

/// The wrong elements of one output of a case: where they lie in all of it, and some of them in full.
struct WrongElements {
  /// The largest map, its largest extent, and how many elements are told in full.
  static constexpr std::size_t mostCells = std::size_t{1} << 16;
  static constexpr std::int64_t longestSide = 128;
  static constexpr std::size_t mostElements = 256;
  /// Of so many failing cases of a kernel this is kept.
  static constexpr int mostCases = 8;

  /// The output's number, from 0.
  int output = 0;
  /// The output's shape.
  std::vector<std::int64_t> shape;
  /// How many cells the map has along each dimension. A cell covers ceil(shape / cells) elements along it.
  std::vector<std::int64_t> cells;
  /// The map, a letter for each cell in row-major order, for the worst element of the cell. '.': none is
  /// wrong. 'a': it is off by up to twice the tolerance; 'b': by up to four times, and so on. 'y': by more
  /// than 2^24 times. 'z': one of the two values is not finite, or the tolerance is 0.
  std::string map;
  /// Elements by their number: all of a small output; else the first wrong ones and the worst.
  std::vector<ElementPair> elements;
  bool operator==(const WrongElements&) const = default;
};

/// The letter of a map for an element that is so many times further off than the tolerance allows; not finite
/// gives 'z'.
[[nodiscard]] char mapLetter(double excess);
/// The times that a letter stands for at least: 1 for 'a', 2 for 'b'; infinity for 'z'; 0 for '.' and all
/// that is no letter.
[[nodiscard]] double leastExcess(char letter);
/// The extents of the map of such a shape: as large as the limits allow.
[[nodiscard]] std::vector<std::int64_t> mapCells(std::vector<std::int64_t> shape);
/// Whether shape, cells, map and elements fit each other, as those of a worker should.
[[nodiscard]] bool isSound(const WrongElements& wrong);
/// The place of a row-major number in a shape, "[3, 17]".
[[nodiscard]] std::string placeText(std::int64_t at, const std::vector<std::int64_t>& shape);

}  // namespace wb
