// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "core/model/measurement.h"

namespace wb {

/// A GPU that others work on turns to a process after a slice of their time, which is a millisecond or two:
/// who waits for longer than this has waited for others.
inline constexpr double sliceOfOthers = 5e-4;

/// What three in ten of the samples take at least; 0 of none. A block has two samples of the kernel, and half
/// of the blocks make the median.
[[nodiscard]] double longOf(std::vector<double> seconds);

/// What processes do in one case between being let go on and the beginning of a sample's clock, and right
/// after its end. All times in seconds.
class OutsideClock {
 public:
  explicit OutsideClock(bool onDevice) : onDevice_(onDevice) {}

  /// On a CPU: how long the kernel's process worked before a sample of its own, and what of that it has used
  /// of a processor, which nobody else makes longer.
  void worked(double seconds, double used);
  /// On a GPU: how long a side's process took until it looked for orders and the GPU had turned to it; and
  /// how long the GPU took to turn back, when that process had said that its sample is done.
  void turned(bool candidate, double seconds);
  void turnedBack(bool candidate, double seconds);
  void forget();

  /// Why the time that was taken says nothing: the kernel's process works whenever it is let go on, or goes
  /// on when it has said that it is done; or the GPU has other work, as the kernel may have left there, which
  /// goes on while its process stands still. "" where none of that is so. `threads` of its: each takes its
  /// time to go on.
  [[nodiscard]] std::string why(const CaseTiming& timing, std::size_t threads) const;
  /// How much of a sample the kernel may have worked for, beyond what is usual: the ratio is known no better.
  [[nodiscard]] double share(const CaseTiming& timing) const;

 private:
  [[nodiscard]] double before(bool isNoisy) const;
  bool onDevice_;
  std::vector<double> worked_, used_;
  /// Of the reference and of the candidate.
  std::array<std::vector<double>, 2> turned_, turnedBack_;
};

}  // namespace wb
