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

/// What references take on a GPU, in seconds by the device's records and with caches emptied, before the code
/// of a kernel is there: whatever slows them beside it, or replaces them, is not there yet. A worker keeps
/// them for its kernels, since one may leave something behind for the next.
class ReferencePaces {
 public:
  /// Measures the reference of a case that will be timed, unless that was done often enough. `kernel` has no
  /// candidate yet. Where it cannot be measured nothing is known of it.
  void learn(const KernelContext& kernel, const Case& definition, Clock& clock);
  [[nodiscard]] std::optional<double> of(const Case& definition) const;

 private:
  struct Pace {
    double seconds = 0;
    int looks = 0;
  };
  std::map<std::string, Pace> paces_;
};

/// Says that the reference is slower beside the kernel than before its code was there; "" where it is not, or
/// nobody knows. `before` and `now` are seconds as ReferencePaces has them, `now` 0 where it is not known.
[[nodiscard]] std::string slowedSince(const CaseTiming& timing, double before, double now);

}  // namespace wb
