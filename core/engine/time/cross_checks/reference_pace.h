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

/// A reference that is slower beside the kernel than before its code was there.
struct SlowedReference {
  /// With both times; "" where it is not slower, or nobody knows.
  std::string words;
  /// It is so right after it was timed, too. Where it is not, others have taken the time on a busy machine,
  /// or the kernel does so now and then.
  bool isStill = false;
};

/// `before` is what ReferencePaces has; `now` is the least beside the kernel right after it was timed, 0
/// where it is not known. A busy host makes the gaps between the pieces longer, and is no doing of the
/// kernel's.
[[nodiscard]] SlowedReference slowedSince(const CaseTiming& timing, const RecordedTime& before,
                                          const RecordedTime& now);

}  // namespace wb
