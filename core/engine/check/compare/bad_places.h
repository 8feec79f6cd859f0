// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <string>
#include <vector>

namespace wb {

/// The row-major numbers of the wrong elements in rising order: all of them up to a million, then every 2nd,
/// 4th and so on.
class BadPlaces {
 public:
  static constexpr std::size_t most = std::size_t{1} << 20;
  void add(std::int64_t element);
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] std::int64_t last() const { return last_; }
  /// One wrong element out of so many is kept.
  [[nodiscard]] std::int64_t step() const { return step_; }
  [[nodiscard]] const std::vector<std::int64_t>& places() const { return places_; }

 private:
  std::vector<std::int64_t> places_;
  std::int64_t count_ = 0, last_ = -1, step_ = 1;
};

/// The pattern of wrong elements in words: "everywhere", "the last 3 columns: a tail that is not handled",
/// "the last block of 256 elements", "rows 96…127 and columns 32…63", "every 4th element, from 3"; with more
/// than two dimensions "the last 3 of dimension 2". "" when they form none, or are too few to tell a
/// pattern from chance (it counts when places at random would show it less than once in a hundred).
[[nodiscard]] std::string clusterText(const BadPlaces& bad, c10::IntArrayRef shape);

}  // namespace wb
