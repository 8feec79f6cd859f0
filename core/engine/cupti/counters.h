// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/metrics/counted_chip.h"
#include "core/model/profile.h"

namespace wb {

/// Something to count: a call, and how many kernels it launches.
struct CountedCall {
  /// Runs before the call in each pass, and its kernels count for nothing: it puts the arguments and the
  /// caches into the state that the call is to find. The call waits for it.
  std::function<Result<void>()> before;
  std::function<Result<void>()> run;
  std::size_t launchesBefore = 0, launches = 0;
};

struct Counted {
  /// The values of each call and of each of its launches, in order. Values that could not be computed are
  /// left out.
  std::vector<std::vector<std::vector<MetricValue>>> calls;
  /// Metrics that the chip does not have.
  std::vector<std::string> missing;
  std::size_t passes = 0;
  /// How long planning took; the plan is cached after the first time.
  double hostSeconds = 0;
  /// How long everything else took.
  double deviceSeconds = 0;
};

/// Counts `metrics` (CUPTI's names) over every kernel of the calls with the range profiler: each launch is a
/// range. A pass runs all calls, each with `before` ahead of it, since to begin and to end a pass takes some
/// 24 ms on an H200, many times what a call takes. CUPTI's own replay of each kernel is not used, since the
/// passes after the first would find in the caches what restoring the memory and the pass before left there.
/// Clocks are left as they are. The device's primary context must be current. CUPTI should be made to forget
/// afterwards. Errors: no CUPTI; counters are refused (with the remedy); those of the calls; a call launches
/// another number of kernels than it said. `chip`: the device's, where another process has asked for it.
Result<Counted> countCalls(int device, std::span<const std::string> metrics,
                           std::span<const CountedCall> calls,
                           const std::optional<CountedChip>& chip = std::nullopt);

/// Makes the plan for counting `metrics`, which another process then finds in the cache that it may only
/// read, and gives the device's chip. CUPTI is turned on where this was not planned here before, and has
/// forgotten afterwards. Errors: as countCalls().
Result<CountedChip> planAhead(int device, const std::vector<std::string>& metrics);

/// Why the driver does not let this process read counters, with the remedy; "" when nothing speaks against
/// it. Does not touch the device.
[[nodiscard]] std::string countersRefused();

}  // namespace wb
