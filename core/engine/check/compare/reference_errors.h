// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace wb {

/// How far the reference's elements are from the oracle's, by their magnitude: one bin for each power of two
/// of |o|. So an element's room comes from elements of its own size, and never from a large one far away.
class ReferenceErrors {
 public:
  static constexpr int bins = 2112;           ///< zero, and every exponent that a double has
  static constexpr int firstExponent = 1080;  ///< added to std::frexp's exponent
  [[nodiscard]] static int binOf(double magnitude);

  /// |e − o| of one element, finite. `overHalf`: it is more than half of the tolerance.
  void add(double magnitude, double error, bool overHalf);
  /// Of many: per bin the count, the worst and the sum of squares.
  void add(const double* counts, const double* worst, const double* squares, std::int64_t overHalf);
  /// To be called once all are added.
  void conclude();

  /// What an element of this bin may be off, by the reference's own errors in it and its two neighbours:
  /// twice the worst, but no more than eight times their root mean square, so that a few bad elements among
  /// many widen nothing. 0 where nothing is known.
  [[nodiscard]] double room(int bin) const {
    return rooms_.empty() ? 0 : rooms_[static_cast<std::size_t>(bin)];
  }
  [[nodiscard]] const std::vector<double>& rooms() const { return rooms_; }
  [[nodiscard]] double worst() const { return worst_; }
  /// How many elements may be forgiven for the reference's sake: a few, and some for each at which the
  /// reference itself is not well within the tolerance.
  [[nodiscard]] std::int64_t mostForgiven() const { return 8 + 4 * overHalf_; }

 private:
  struct Bin {
    double count = 0, worst = 0, squares = 0;
  };
  std::vector<Bin> bins_;
  std::vector<double> rooms_;
  double worst_ = 0;
  std::int64_t overHalf_ = 0;
};

}  // namespace wb
