// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/model/job.h"

namespace wb {

/// A part of a job that one worker does: one kernel, with all its cases or some.
struct FleetTask {
  std::uint32_t kernel = 0;
  Stages stages;
  /// Numbers of its cases among the kernel's own; absent: all, whatever they are.
  std::optional<std::vector<std::uint32_t>> cases;
  bool leads = true;  ///< the kernel's first: the others wait until it has compiled, and find it in the cache

  /// The case's number in the kernel, of a number in the task; one that no kernel has for none of the task's.
  [[nodiscard]] std::uint32_t caseNumber(std::uint32_t index) const {
    if (!cases) return index;
    return index < cases->size() ? (*cases)[index] : std::numeric_limits<std::uint32_t>::max();
  }
};

/// The cases that a kernel will run, where that can be known before it is compiled: its operator is named in
/// full, and the job has cases of it.
[[nodiscard]] std::optional<std::vector<Case>> knownCases(const Job& job, const KernelSource& source);

/// The job's kernels as tasks of `stages`, in order, cut into parts of cases where there are fewer than two
/// for each worker.
[[nodiscard]] std::vector<FleetTask> planTasks(const Job& job, Stages stages, std::size_t workers);

/// Everything of a job but its kernels and cases, which are many.
[[nodiscard]] Job frameOf(const Job& job);

/// The job that a worker gets for a task. `planned` are the kernel's cases, where known.
[[nodiscard]] Job jobOf(const Job& frame, const Job& job, const FleetTask& task,
                        const std::optional<std::vector<Case>>& planned);

}  // namespace wb
