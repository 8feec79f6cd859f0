// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/engine/check/compare/bad_places.h"
#include "core/engine/check/compare/check.h"
#include "core/engine/check/compare/reference_errors.h"

namespace wb {

/// Which elements of one output count as right.
struct ElementRule {
  Bounds bounds;
  /// The bound is rtol·|c| in place of rtol·|e|.
  bool relativeToCandidate = false;
  /// Elements within the bounds pass.
  bool tolerance = true;
  /// Elements close enough to the oracle pass.
  bool oracle = false;
  /// Only as many of these pass as the reference's own errors explain.
  bool shareBound = true;
};

/// A sample of |c − e| of elements that are finite on both sides: of all elements up to `most`, else of every
/// n-th, so that percentiles stay cheap. Zeros are only counted.
class DifferenceSample {
 public:
  static constexpr std::int64_t most = std::int64_t{1} << 20;
  explicit DifferenceSample(std::int64_t elements = 0) : step_((elements + most - 1) / most), taken_(0) {
    if (step_ < 1) step_ = 1;
    taken_ = (elements + step_ - 1) / step_;
  }
  [[nodiscard]] std::int64_t step() const { return step_; }
  /// Call this for elements whose number is a multiple of step() and that differ.
  void add(double difference) { others_.push_back(difference); }
  /// Leaves out elements that are not finite on one side.
  void leaveOut(std::int64_t count = 1) { taken_ -= count; }
  void append(const DifferenceSample& other);
  /// The percentile of nearest rank, 0 … 1; 0 when there is nothing. Reorders what it holds.
  [[nodiscard]] double percentile(double rank);

 private:
  std::int64_t step_ = 1, taken_ = 0;  // taken_: zeros included
  std::vector<double> others_;
};

struct ElementErrors {
  /// The largest errors of elements that are finite on both sides.
  double maxAbs = 0, maxRel = 0, maxUlp = 0;
  std::int64_t mismatches = 0;
  std::int64_t elements = 0;
  /// The first wrong element in row-major order.
  std::int64_t firstBad = -1;
  /// How many elements are over tolerance and close enough to the oracle.
  std::int64_t forgiven = 0;
  /// How many of these pass by their room for rounding.
  std::int64_t forgivenByRoom = 0;
  /// The largest part of its room that one of these needs.
  double roomUsed = 0;
  /// The largest |c − o| and |e − o|, with an oracle.
  double oracleAbs = 0, oracleReferenceAbs = 0;
  ReferenceErrors reference;
  BadPlaces bad;
  DifferenceSample differences;
};

/// Compares two tensors of the same shape, dtype and device element by element, in chunks, on their device
/// (few elements on the host). `oracle` may be undefined unless the rule needs it. `room` says in float64 how
/// far each element may be from the oracle for its rounding; it has the same shape or is undefined. Throws
/// what torch throws.
[[nodiscard]] ElementErrors elementErrors(const at::Tensor& candidate, const at::Tensor& expected,
                                          const at::Tensor& oracle, const ElementRule& rule,
                                          const at::Tensor& room = {});

/// Whether two contiguous tensors of the same shape, dtype and device have the same bits.
[[nodiscard]] bool sameBits(const at::Tensor& a, const at::Tensor& b);

/// The same for two results, whatever their strides: same structure, shapes, types and bits.
[[nodiscard]] bool sameBits(const Stack& a, const Stack& b);

}  // namespace wb
