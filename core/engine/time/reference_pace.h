// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/engine/cases/kernel_context.h"
#include "core/engine/time/timer.h"
#include "core/model/case.h"
#include "core/model/measurement.h"

namespace wb {

/// What references take on a GPU, by the device's records and with caches emptied, before the code
/// of a kernel is there: whatever slows them beside it, or replaces them, is not there yet. A worker keeps
/// them for its kernels, since one may leave something behind for the next.
class ReferencePaces {
 public:
  /// Measures the reference of a case that will be timed, unless that was done often enough. `kernel` has no
  /// candidate yet. Where it cannot be measured nothing is known of it.
  void learn(const KernelContext& kernel, const Case& definition, Clock& clock);
  [[nodiscard]] std::optional<RecordedTime> of(const Case& definition) const;
  /// Whether a problem's reference still has to be measured. What was known of another problem is forgotten,
  /// whose cases may have the same words.
  [[nodiscard]] bool beginProblem(const std::string& text);

 private:
  struct Pace {
    RecordedTime least;
    int looks = 0;
  };
  std::map<std::string, Pace> paces_;
  /// The problem whose cases are among them, and how often it was begun.
  std::string problem_;
  int begun_ = 0;
};

/// Says that the reference is slower beside the kernel than before its code was there; "" where it is not, or
/// nobody knows. `before` is what ReferencePaces has; `now` are the seconds of all its pieces beside the
/// kernel, 0 where they are not known. A busy host makes the gaps between the pieces longer, and is no doing
/// of the kernel's.
[[nodiscard]] std::string slowedSince(const CaseTiming& timing, const RecordedTime& before, double now);

}  // namespace wb
