// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/model/plan/planned_cases.h"

namespace wb {

struct Job;

/// One stage of what a worker is to do of a kernel.
struct StageWork {
  Stage stage = Stage::check;
  /// Of these of the kernel's cases; absent: of all that are due when the stage begins. To time and to
  /// profile, of those of them that have passed by then.
  std::optional<std::vector<std::uint32_t>> cases{};
  /// Of those cases, so many that weigh most; 0: all.
  int most = 0;
  bool operator==(const StageWork&) const = default;
};

/// What a worker is to do of one kernel.
struct KernelWork {
  /// Index into Job::kernels.
  std::uint32_t kernel = 0;
  /// Another worker has said what the kernel compiles to: this one loads it, and says only that it begins to.
  bool compiled = false;
  /// In their order; what is not named is not run.
  std::vector<StageWork> stages{};
  /// The reference was lost in this case after the candidate had run: the reference runs alone, to see whose
  /// fault that was.
  std::optional<std::uint32_t> referenceAlone{};
  /// Of the cases to time and to profile, those that other workers have let pass.
  std::vector<std::uint32_t> passed{};
  /// Of the cases to profile, those whose headline times were taken with warm caches.
  std::vector<std::uint32_t> hot{};
  /// Where another worker has said what the kernel compiles to, as much of that as this work needs. Without
  /// it the worker looks in the job's cases for the kernel's.
  std::optional<PlannedCases> planned{};
  bool operator==(const KernelWork&) const = default;
};

/// What one worker is to do of a job, under the numbers that kernels and cases have in the whole of it.
struct JobWork {
  /// Another worker has said where the job runs and what the device reaches.
  bool begun = false;
  std::vector<KernelWork> kernels{};
  /// So many seconds after the run began it is handed out.
  double after = 0;
  bool operator==(const JobWork&) const = default;
};

/// All that a job asks of its workers for one kernel.
[[nodiscard]] KernelWork wholeOf(const Job& job, std::uint32_t kernel);
/// What is to be done of a job: the part that it names, else all.
[[nodiscard]] JobWork workIn(const Job& job);

}  // namespace wb
