// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/model/measurement.h"

namespace wb {

/// Samples of both sides on inputs that neither has met, beside the times that count; all are seconds per
/// call. Where timed inputs come again in some way, a kernel may keep its answers, and is faster for those
/// alone.
class UnmetSamples {
 public:
  /// `timing`: of the headline. `allowed`: what a call may take longer by itself, in seconds.
  explicit UnmetSamples(const CaseTiming& timing, double allowed = 0);

  void add(double reference, double candidate);
  [[nodiscard]] std::size_t count() const { return ratios_.size(); }
  /// So many say the same that more would say nothing else.
  [[nodiscard]] bool areClear() const;
  /// The kernel keeps less than half of what it was faster, and less than seven tenths of its ratio, since
  /// honest ones lose a fifth on a busy machine; and less than is known of it. What calls take longer on both
  /// sides alike, such as for memory that was not met, is no such loss.
  [[nodiscard]] bool loseSpeedup() const;
  /// The medians.
  [[nodiscard]] double reference() const { return median(reference_); }
  [[nodiscard]] double candidate() const { return median(candidate_); }

 private:
  double timedReference_, timedCandidate_, allowed_;
  /// The least ratio that keeps enough.
  double least_;
  std::vector<double> reference_, candidate_, ratios_;
};

/// How many calls of so many seconds, each of which is given so many bytes, are sampled in a row: what a
/// sample takes beside its calls is little of it then, and what they are given is not much.
[[nodiscard]] int callsInRow(double seconds, std::int64_t bytesPerCall);

}  // namespace wb
