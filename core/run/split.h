// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/model/job.h"
#include "core/model/report.h"

namespace wb {

/// Who there is to share a job: workers, and devices, of which each may be several workers'.
struct Crowd {
  std::size_t workers = 1, devices = 1;
};

/// Stages of a job that are done before those of the next round begin.
struct Round {
  std::vector<Stage> stages;
  bool alone = false;  ///< one worker a device, so that nobody disturbs what is measured
  bool operator==(const Round&) const = default;
};

/// The rounds in which a job is shared: one for a worker alone. Where workers share a device all check, and
/// then one of them times and profiles. Where each has its own all is done in one round, but for the profiles
/// of kernels whose cases were spread: which of those are looked at is known when all of them were timed.
[[nodiscard]] std::vector<Round> roundsOf(const Job& job, const Crowd& crowd);

/// What is left of a round, in pieces for one worker each, in the order in which they are to be handed out:
/// those that are longest as far as that is known come first. Kernels are spread, and the cases of a kernel
/// where there are fewer than two kernels for each worker.
[[nodiscard]] std::vector<JobWork> piecesOf(const Job& job, const Report& report, const Round& round,
                                            const Crowd& crowd);

}  // namespace wb
