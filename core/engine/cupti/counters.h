// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/profile.h"

namespace wb {

/// Something to count: a call that launches so many kernels.
struct CountedCall {
  /// Runs ahead of each pass, uncounted: puts the arguments and the caches into the state that the call is to
  /// find. It is waited for.
  std::function<Result<void>()> before;
  std::function<Result<void>()> run;
  std::size_t launches = 0;
};

struct Counted {
  /// Of each call, of each of its launches in order. Values that could not be computed are left out.
  std::vector<std::vector<std::vector<MetricValue>>> calls;
  std::vector<std::string> missing;  ///< metrics that the chip does not have
  std::size_t passes = 0;
  double hostSeconds = 0;    ///< planning: cached after the first time
  double deviceSeconds = 0;  ///< everything else
};

/// Counts `metrics` (CUPTI's names) over every kernel of the calls, one call after the other, with the range
/// profiler: each launch is a range, and the whole call is run again for each pass, `before` ahead of it.
/// CUPTI's own replay of each kernel is not used: the passes after the first would find in the caches what
/// restoring the memory and the pass before left there. Clocks are left as they are. The device's primary
/// context must be current. CUPTI should be made to forget afterwards. Errors: no CUPTI, counters refused
/// (with the remedy), those of the calls, a call that launches other kernels than it said.
Result<Counted> countCalls(int device, std::span<const std::string> metrics,
                           std::span<const CountedCall> calls);

/// Whether the driver lets this process read counters, found without touching the device: the reason and the
/// remedy, "" when nothing speaks against it.
[[nodiscard]] std::string countersRefused();

}  // namespace wb
