// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/model/job.h"
#include "core/model/report.h"

namespace wb {

/// The workers that share a job, and their devices, of which each may serve several workers.
struct Crowd {
  std::size_t workers = 1, devices = 1;
};

/// Stages of a job that are done before those of the next round begin.
struct Round {
  std::vector<Stage> stages;
  /// Only one worker per device works, so that nobody disturbs what is measured.
  bool alone = false;
  bool operator==(const Round&) const = default;
};

/// The rounds in which a job is shared; a worker alone does it in one. Where workers share a device, all
/// check, and then one of them measures. Where each has its own device, everything is done in one
/// round, except the profiles of kernels whose cases were spread: which of their cases are profiled is known
/// when all were timed.
[[nodiscard]] std::vector<Round> roundsOf(const Job& job, const Crowd& crowd);

/// What is left of a round of the job, or of the part of it that the job names, in pieces for one worker
/// each, in the order in which they are given out: those that seem longest come first. Kernels are spread,
/// and the cases of a kernel where there are fewer than two kernels for each worker; of many small kernels
/// several make a piece.
[[nodiscard]] std::vector<JobWork> piecesOf(const Job& job, const Report& report, const Round& round,
                                            const Crowd& crowd);

}  // namespace wb
