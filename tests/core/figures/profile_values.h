// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/model/event.h"

namespace wb::samples {

// What a worker on an H100 would say, of which profile_sample.h makes runs.

/// `counters` says why the device's counters cannot be read.
[[nodiscard]] Target h100(std::string counters = {});
[[nodiscard]] Ceilings h100Ceilings();

[[nodiscard]] Case caseOf(std::string op, std::string args, std::string shapes, std::string dtype, int line);
/// A check that passed.
[[nodiscard]] CaseCheck good();
/// Times in seconds; `halfWidth` is the interval's, as a share.
[[nodiscard]] CaseTiming timed(double reference, double ratio, double halfWidth, double floor);

struct LaunchCounts {
  double microseconds = 0, dramRead = 0, dramWritten = 0, ffma = 0, fadd = 0;
  double loadSectors = 0, loadRequests = 0, storeSectors = 0, storeRequests = 0;
  double warps = 0, dram = 0, longScoreboard = 0, conflicts = 0, sharedLoads = 0, tensor = 0;
};
/// What the quick set counts of one launch.
[[nodiscard]] std::vector<MetricValue> metrics(const LaunchCounts& c);
[[nodiscard]] Launch launch(std::string function, std::string kernel, std::array<int, 3> grid,
                            std::array<int, 3> block, int registers, double seconds);

[[nodiscard]] Listing softmaxListing();
[[nodiscard]] SideProfile softmaxCandidate();
[[nodiscard]] SideProfile softmaxReference();

}  // namespace wb::samples
