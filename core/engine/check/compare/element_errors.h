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
  bool relativeToCandidate = false;  ///< rtol·|c| in place of rtol·|e|
  bool tolerance = true;             ///< elements within bounds pass
  bool oracle = false;               ///< elements close enough to the oracle pass
  bool shareBound = true;            ///< of which only so many as the reference's own errors explain
};

/// |c − e| of elements that are finite on both sides: of all up to `most`, else of every n-th, so that
/// percentiles stay cheap. Zeros are only counted.
class DifferenceSample {
 public:
  static constexpr std::int64_t most = std::int64_t{1} << 20;
  explicit DifferenceSample(std::int64_t elements = 0) : step_((elements + most - 1) / most), taken_(0) {
    if (step_ < 1) step_ = 1;
    taken_ = (elements + step_ - 1) / step_;
  }
  [[nodiscard]] std::int64_t step() const { return step_; }
  /// To be called for elements whose number is a multiple of step() and that are not equal on both sides.
  void add(double difference) { others_.push_back(difference); }
  /// Not finite on either side: not in the sample.
  void leaveOut(std::int64_t count = 1) { taken_ -= count; }
  void append(const DifferenceSample& other);
  /// Nearest rank, 0 … 1; 0 of nothing. Reorders what it holds.
  [[nodiscard]] double percentile(double rank);

 private:
  std::int64_t step_ = 1, taken_ = 0;  // taken_: zeros included
  std::vector<double> others_;
};

struct ElementErrors {
  double maxAbs = 0, maxRel = 0, maxUlp = 0;  ///< over elements that are finite on both sides
  std::int64_t mismatches = 0;
  std::int64_t elements = 0;
  std::int64_t firstBad = -1;                    ///< in row-major order
  std::int64_t forgiven = 0;                     ///< over tolerance, and close enough to the oracle
  std::int64_t forgivenByRoom = 0;               ///< of these, by their room for rounding
  double roomUsed = 0;                           ///< largest part of it that one of these needs
  double oracleAbs = 0, oracleReferenceAbs = 0;  ///< worst |c − o| and |e − o|, with an oracle
  ReferenceErrors reference;
  BadPlaces bad;
  DifferenceSample differences;
};

/// Compares two tensors of the same shape, dtype and device element by element, in chunks, on their device
/// (few elements on the host). `oracle` may be undefined; it must not be when the rule asks for it. `room`,
/// float64 of the same shape, is how far each element may be from the oracle for its rounding; may be
/// undefined. Throws what torch throws.
[[nodiscard]] ElementErrors elementErrors(const at::Tensor& candidate, const at::Tensor& expected,
                                          const at::Tensor& oracle, const ElementRule& rule,
                                          const at::Tensor& room = {});

/// Same bits in both: contiguous tensors of the same shape, dtype and device.
[[nodiscard]] bool sameBits(const at::Tensor& a, const at::Tensor& b);

/// The same of two results, whatever their strides: same structure, shapes, types and bits.
[[nodiscard]] bool sameBits(const Stack& a, const Stack& b);

}  // namespace wb
