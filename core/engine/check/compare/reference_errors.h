// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/plan/tolerances.h"

namespace wb {

/// How far the reference's elements are from the oracle's, by their magnitude: there is one bin for each
/// power of two of |o|. So an element's room comes from elements of its own size, and never from a large one
/// elsewhere.
class ReferenceErrors {
 public:
  /// One for zero, and one for every exponent that a double has.
  static constexpr int bins = 2112;
  /// This is added to std::frexp's exponent.
  static constexpr int firstExponent = 1080;
  [[nodiscard]] static int binOf(double magnitude);

  /// Adds |e − o| of one element, which is finite. `overHalf` says that it is more than half of the
  /// tolerance.
  void add(double magnitude, double error, bool overHalf);
  /// Adds many: for each bin the count, the worst and the sum of squares.
  void add(const double* counts, const double* worst, const double* squares, std::int64_t overHalf);
  /// Call this once all are added. `tolerance` bounds the room that a few elements have from larger ones.
  void conclude(const Bounds& tolerance);

  /// How far an element of this bin may be off by the reference's own errors in it and its two neighbours:
  /// twice the worst, but no more than eight times their root mean square, so that a few bad elements among
  /// many do not widen it. 0 where nothing is known.
  ///
  /// Where fewer than 16 elements are in these bins, as near zero in the middle of a distribution, the worst
  /// of them tells little: by chance the reference is almost right there. Then up to eight bins above count
  /// too, for a room of no more than four times the tolerance.
  [[nodiscard]] double room(int bin) const {
    return rooms_.empty() ? 0 : rooms_[static_cast<std::size_t>(bin)];
  }
  [[nodiscard]] const std::vector<double>& rooms() const { return rooms_; }
  [[nodiscard]] double worst() const { return worst_; }
  /// How many elements may be forgiven because of the reference's errors: a few, and some for each element at
  /// which the reference itself is not well within the tolerance.
  [[nodiscard]] std::int64_t mostForgiven() const { return 8 + 4 * overHalf_; }

 private:
  struct Bin {
    double count = 0, worst = 0, squares = 0;
  };
  /// The room by three bins from `first` on, and by further ones up to `last` until `enough` elements count.
  [[nodiscard]] double roomFrom(std::size_t first, std::size_t last, double enough) const;
  std::vector<Bin> bins_;
  std::vector<double> rooms_;
  double worst_ = 0;
  std::int64_t overHalf_ = 0;
};

}  // namespace wb
