// SPDX-License-Identifier: Apache-2.0
#include "core/model/wrong_elements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wb {
namespace {

/// The product of extents, or nothing where one is negative or it does not fit.
std::int64_t volumeOf(const std::vector<std::int64_t>& extents) {
  std::int64_t volume = 1;
  for (const std::int64_t extent : extents)
    if (extent < 0 || __builtin_mul_overflow(volume, extent, &volume)) return -1;
  return volume;
}

}  // namespace

char mapLetter(double excess) {
  if (!std::isfinite(excess)) return 'z';
  return static_cast<char>('a' + std::clamp(std::ilogb(std::max(excess, 1.0)), 0, 24));
}

double leastExcess(char letter) {
  if (letter == 'z') return std::numeric_limits<double>::infinity();
  return letter >= 'a' && letter < 'z' ? std::ldexp(1.0, letter - 'a') : 0;
}

std::vector<std::int64_t> mapCells(std::vector<std::int64_t> shape) {
  const auto coarser = [](std::int64_t size, std::int64_t most) {
    const std::int64_t block = (size + most - 1) / most;
    return (size + block - 1) / block;
  };
  // One dimension is drawn in rows, and may be as long as a square has cells.
  const std::int64_t most = shape.size() == 1 ? WrongElements::longestSide * WrongElements::longestSide
                                              : WrongElements::longestSide;
  for (std::int64_t& size : shape)
    if (size > most) size = coarser(size, most);
  while (volumeOf(shape) > static_cast<std::int64_t>(WrongElements::mostCells)) {
    // The dimensions before the last two only choose the slice, so they give way first.
    const auto slices = shape.size() > 2 ? shape.end() - 2 : shape.end();
    auto largest = std::max_element(shape.begin(), slices);
    if (*largest < 2) largest = std::max_element(shape.begin(), shape.end());
    *largest = (*largest + 1) / 2;
  }
  return shape;
}

bool isSound(const WrongElements& wrong) {
  const std::int64_t elements = volumeOf(wrong.shape), cells = volumeOf(wrong.cells);
  if (elements < 0 || cells < 0 || wrong.cells.size() != wrong.shape.size()) return false;
  if (wrong.map.size() != static_cast<std::size_t>(cells) || wrong.map.size() > WrongElements::mostCells)
    return false;
  for (std::size_t d = 0; d < wrong.shape.size(); ++d)
    if (wrong.cells[d] > wrong.shape[d] || (wrong.cells[d] == 0) != (wrong.shape[d] == 0)) return false;
  if (wrong.elements.size() > WrongElements::mostElements) return false;
  return std::all_of(wrong.elements.begin(), wrong.elements.end(),
                     [&](const ElementPair& one) { return one.at >= 0 && one.at < elements; });
}

std::string placeText(std::int64_t at, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; at /= std::max<std::int64_t>(shape[d], 1))
    index[d] = shape[d] > 0 ? at % shape[d] : 0;
  return fmt::format("[{}]", fmt::join(index, ", "));
}

}  // namespace wb
